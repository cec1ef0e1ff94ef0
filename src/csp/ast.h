/* The syntax of a script.
 *
 * One kind of node serves expressions, processes and patterns, because CSP_M itself
 * cannot tell them apart before it has read on (`f(x) = …`, `x <- s`). Nodes live in the
 * arena. Fields below the line are filled by the resolver (resolve.c) and the type
 * checker. */
#ifndef HEDDLE_CSP_AST_H
#define HEDDLE_CSP_AST_H

#include "csp/core.h"

typedef enum {
  NODE_INT,    /* number */
  NODE_BOOL,   /* number */
  NODE_CHAR,   /* number */
  NODE_STRING, /* name */
  NODE_NAME,   /* name; qualified names are joined with :: */
  NODE_WILD,
  NODE_TUPLE,     /* kids */
  NODE_SEQ,       /* kids, stmts */
  NODE_SET,       /* kids, stmts */
  NODE_CHANSET,   /* kids, stmts: {| |} */
  NODE_SEQ_RANGE, /* from [to], stmts */
  NODE_SET_RANGE, /* from [to], stmts */
  NODE_MAP,       /* key, value, … */
  NODE_LAMBDA,    /* patterns …, body last */
  NODE_LET,       /* decls, body */
  NODE_IF,        /* condition, then, else */
  NODE_APPLY,     /* function, arguments … */
  /* binary, tightest last does not matter here */
  NODE_ADD,
  NODE_SUB,
  NODE_MUL,
  NODE_DIV,
  NODE_MOD,
  NODE_EQ,
  NODE_NE,
  NODE_LT,
  NODE_GT,
  NODE_LE,
  NODE_GE,
  NODE_AND,
  NODE_OR,
  NODE_CONCAT,
  NODE_DOT,    /* flat: two or more kids */
  NODE_DOUBLE, /* @@, patterns only */
  NODE_NEG,
  NODE_NOT,
  NODE_LENGTH,
  /* processes */
  NODE_PREFIX, /* channel, fields …, body last */
  NODE_FIELD,  /* inside PREFIX: op is '?', '!' or '$'; pattern or value, [set] */
  NODE_EXTCHOICE,
  NODE_INTCHOICE,
  NODE_SEMI,
  NODE_INTERLEAVE,
  NODE_INTERRUPT,
  NODE_SLIDING,
  NODE_HIDE,
  NODE_PROJECT,
  NODE_GUARD,
  NODE_SHARE,      /* P, S, Q */
  NODE_ALPHA,      /* P, A, B, Q */
  NODE_EXCEPTION,  /* P, S, Q */
  NODE_SYNCEXT,    /* P, S, Q */
  NODE_SYNCINT,    /* P, S, Q */
  NODE_RENAME,     /* P, from, to, …; stmts */
  NODE_LINK,       /* P, Q, from, to, …; stmts */
  NODE_REPLICATED, /* op: kind of the operator; stmts; [set], body last. ALPHA: set, body;
                      LINK: body first, then from, to, …; its own stmts in `extra` */
  /* statements */
  NODE_GENERATOR, /* pattern, set */
  NODE_FILTER,    /* condition */
} CspNodeKind;

typedef struct CspDecl CspDecl;
typedef struct CspType CspType;

/* Where the value of a name is: `hops` frames up, then `slot`; or a global. */
typedef struct CspVar {
  uint16_t hops;
  uint16_t slot;
} CspVar;

struct CspNode {
  CspNodeKind kind;
  int op;
  CspDecl *timed; /* in a timed section: how long events take; else NULL */
  CspPlace place;
  const CspName *name;
  int64_t number;
  CspNode **kids;
  uint32_t count;
  uint32_t stmt_count;
  CspNode **stmts;
  CspDecl **decls; /* LET */
  uint32_t decl_count;
  CspNode **extra; /* statements of a replicated link's ties */
  uint32_t extra_count;
  /* ---- resolver ---- */
  CspVar var;            /* NAME: local variable, when global is NULL */
  CspDecl *global;       /* NAME: what it refers to when it is not local */
  uint32_t global_index; /* 0: the declaration itself; k + 1: its names[k] */
  const void *builtin;   /* NAME: a function of the library */
  bool binds;        /* NAME in a pattern: a fresh variable, var.slot of the own frame */
  uint16_t slots;    /* nodes that open a frame: its size */
  CspVar *free_vars; /* nodes that become closures: what they use from outside */
  uint32_t free_count;
};

typedef enum {
  DECL_FUNCTION, /* name, clauses; a constant is a function without groups */
  DECL_PATTERN,  /* pattern = body: several names */
  DECL_CHANNEL,  /* names, type or NULL */
  DECL_DATATYPE, /* name, names and types of the constructors */
  DECL_SUBTYPE,
  DECL_NAMETYPE, /* name, body */
  DECL_ASSERT,
  DECL_IMPORT, /* transparent and external: names */
  DECL_PRINT,  /* body */
} CspDeclKind;

/* One equation of a function: groups of patterns (f(x)(y) has two) and a body. */
typedef struct CspClause {
  CspPlace place;
  CspNode ***groups; /* each an array of patterns */
  uint32_t *group_sizes;
  uint32_t group_count;
  CspNode *body;
  uint16_t slots;
} CspClause;

/* The scope of the declarations of one module; the root has an empty prefix. */
typedef struct CspScope {
  const char *prefix; /* "M::N::" */
  struct CspScope *parent;
} CspScope;

typedef enum {
  ASSERT_REFINES,
  ASSERT_DEADLOCK_FREE,
  ASSERT_DIVERGENCE_FREE,
  ASSERT_DETERMINISTIC,
  ASSERT_HAS_TRACE,
  ASSERT_TRUE, /* a boolean: no process at all */
} CspAssertKind;

typedef enum { MODEL_T, MODEL_F, MODEL_FD } CspModel;

typedef struct CspAssert {
  CspAssertKind kind;
  CspModel model;
  bool negated;
  bool reduce;           /* partial order reduction was asked for */
  CspNode *left, *right; /* HAS_TRACE: process and sequence */
  CspNode *tau_priority; /* set of events below tau, or NULL */
  CspPlace place, end;   /* from the word assert to the last token */
  const char *text;      /* as written, on one line */
} CspAssert;

struct CspDecl {
  CspDeclKind kind;
  CspPlace place;
  CspScope *scope;
  const CspName *name;   /* full name with its module */
  const CspName **names; /* channels, constructors, variables of a pattern */
  CspPlace *name_places;
  CspNode **name_types; /* constructors: type or NULL */
  uint32_t name_count;
  CspNode *pattern, *body; /* body: type of a channel, nametype, pattern, print */
  CspClause **clauses;
  uint32_t clause_count;
  CspAssert *assertion;
  /* ---- resolver ---- */
  CspNode *within; /* the LET it belongs to, or NULL for a global */
  uint16_t slot;   /* in the frame of the LET; first slot for a pattern */
  uint16_t slots;  /* frame of the pattern */
  /* ---- type checker ---- */
  CspType *type;          /* scheme of a function */
  CspType **name_schemes; /* of the names */
  bool yields_process;    /* a function whose full application is a process */
  int mark;               /* of the checker's search for groups */
  uint32_t index, low;
  /* ---- evaluator ---- */
  void *value; /* of a global: see eval.c */
};

typedef struct CspScript {
  CspDecl **decls;
  uint32_t decl_count;
} CspScript;

struct CspToken;
/* Parses the tokens of csp_lex into a script. Fails through csp_fail. */
CspScript *csp_parse(Csp *csp, struct CspToken *tokens);

#endif
