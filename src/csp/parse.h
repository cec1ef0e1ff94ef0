/* Between the files of the parser: the cursor over the tokens and the small steps. */
#ifndef HEDDLE_CSP_PARSE_H
#define HEDDLE_CSP_PARSE_H

#include "csp/ast.h"
#include "csp/lex.h"

/* A module as it was read: its tokens are parsed once more for every instance. */
typedef struct CspModule {
  const CspName *name; /* full */
  CspScope *scope;     /* around it */
  const CspName **params;
  uint32_t param_count;
  uint32_t begin; /* first token of the body */
  CspDecl *timed; /* of the section around it, or NULL */
} CspModule;

typedef struct CspParser {
  Csp *csp;
  CspToken *tokens;
  uint32_t at;
  bool in_seq; /* directly inside < >, where > may be the end */
  CspScope *scope;
  CspDecl *timed;  /* of the timed section, or NULL */
  CspList modules; /* CspModule */
  CspList decls;   /* CspDecl of the whole script */
} CspParser;

static inline CspToken *csp_peek(const CspParser *p) {
  return &p->tokens[p->at];
}
static inline bool csp_at(const CspParser *p, CspTokenKind kind) {
  return p->tokens[p->at].kind == kind;
}
/* Takes the token if it is of this kind. */
bool csp_accept(CspParser *p, CspTokenKind kind);
/* Takes it or fails: "expected ')' …, found …". */
CspToken *csp_expect(CspParser *p, CspTokenKind kind, const char *what);
_Noreturn void csp_unexpected(CspParser *p, const char *wanted);

CspNode *csp_node(CspParser *p, CspNodeKind kind, CspPlace place);
void csp_set_kids(CspParser *p, CspNode *node, const CspList *kids);
CspNode *csp_node_list(CspParser *p, CspNodeKind kind, CspPlace place, uint32_t count,
                       ...);

/* A whole expression or process; one without the operators below `.` (patterns, sets). */
CspNode *csp_parse_expr(CspParser *p);
CspNode *csp_parse_tight(CspParser *p);
/* Primary forms: literals, names, brackets, let, if, lambda, replicated operators. */
CspNode *csp_parse_primary(CspParser *p);
/* Statements of comprehensions and replicated operators, separated by commas. */
void csp_parse_stmts(CspParser *p, CspNode *node);
void csp_parse_arguments(CspParser *p, CspTokenKind close, CspList *out);

/* Declarations up to (not including) one of the closing tokens. */
void csp_parse_let(CspParser *p, CspNode *let);
CspAssert *csp_parse_assert(CspParser *p, CspPlace start);

#endif
