/* Expressions and processes by precedence climbing.
 *
 * In: tokens. Out: nodes. The levels are those of CSP_M, from loose to tight: hiding,
 * interleaving, the parallel operators, internal choice, external choice, sliding choice
 * and interrupt, sequence, prefix and guard, dot, or, and, not, comparison, sum, product,
 * sign and length, concatenation, application and renaming. Replicated operators, let, if
 * and lambda reach as far to the right as they can.
 *
 * The depth of the recursion is bounded by csp_check_stack. */
#include "csp/parse.h"

enum {
  LEVEL_HIDE = 1,
  LEVEL_INTERLEAVE,
  LEVEL_PARALLEL,
  LEVEL_INTCHOICE,
  LEVEL_EXTCHOICE,
  LEVEL_SLIDING,
  LEVEL_SEMI,
  LEVEL_PREFIX,
  LEVEL_DOT,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_SIGN,
  LEVEL_CONCAT,
  LEVEL_POSTFIX,
};

static CspNode *parse_level(CspParser *p, int level);

/* ---- postfix: application and renaming --------------------------------------------- */

static void parse_pairs(CspParser *p, CspTokenKind arrow, const char *what,
                        CspList *out) {
  do {
    csp_list_push(p->csp, out, csp_parse_tight(p));
    csp_expect(p, arrow, what);
    csp_list_push(p->csp, out, csp_parse_tight(p));
  } while (csp_accept(p, TOKEN_COMMA));
}

static CspNode *parse_rename(CspParser *p, CspNode *process) {
  CspNode *node = csp_node(p, NODE_RENAME, csp_peek(p)->place);
  CspList kids = {0};
  bool in_seq = p->in_seq;
  p->in_seq = false;
  p->at++;
  csp_list_push(p->csp, &kids, process);
  parse_pairs(p, TOKEN_GENERATOR, "between the old and the new event", &kids);
  if (csp_accept(p, TOKEN_BAR)) csp_parse_stmts(p, node);
  csp_expect(p, TOKEN_CLOSE_RENAME, "at the end of the renaming");
  p->in_seq = in_seq;
  csp_set_kids(p, node, &kids);
  return node;
}

static CspNode *parse_postfix(CspParser *p) {
  CspNode *left = csp_parse_primary(p);
  for (;;) {
    CspToken *token = csp_peek(p);
    if (token->kind == TOKEN_OPEN && !token->first) {
      CspNode *node = csp_node(p, NODE_APPLY, token->place);
      CspList kids = {0};
      p->at++;
      csp_list_push(p->csp, &kids, left);
      csp_parse_arguments(p, TOKEN_CLOSE, &kids);
      csp_set_kids(p, node, &kids);
      left = node;
    } else if (token->kind == TOKEN_OPEN_RENAME) {
      left = parse_rename(p, left);
    } else {
      return left;
    }
  }
}

/* ---- values ------------------------------------------------------------------------ */

/* Inside < >, decides whether > compares or closes: it compares when an operand follows
 * on the same line. */
static bool closes_sequence(const CspParser *p) {
  if (!p->in_seq) return false;
  const CspToken *next = &p->tokens[p->at + 1];
  if (next->first) return true;
  switch (next->kind) {
  case TOKEN_NAME:
  case TOKEN_INT:
  case TOKEN_CHAR:
  case TOKEN_OPEN:
  case TOKEN_HASH:
  case TOKEN_MINUS:
  case TOKEN_OPEN_SET: return false;
  default: return true;
  }
}

static CspNodeKind binary_kind(const CspParser *p, int level) {
  CspTokenKind kind = csp_peek(p)->kind;
  switch (level) {
  case LEVEL_OR: return kind == TOKEN_OR ? NODE_OR : NODE_INT;
  case LEVEL_AND: return kind == TOKEN_AND ? NODE_AND : NODE_INT;
  case LEVEL_COMPARE:
    switch (kind) {
    case TOKEN_EQUAL: return NODE_EQ;
    case TOKEN_NOT_EQUAL: return NODE_NE;
    case TOKEN_LESS: return NODE_LT;
    case TOKEN_LESS_EQ: return NODE_LE;
    case TOKEN_GREATER_EQ: return NODE_GE;
    case TOKEN_GREATER: return closes_sequence(p) ? NODE_INT : NODE_GT;
    default: return NODE_INT;
    }
  case LEVEL_SUM:
    return kind == TOKEN_PLUS ? NODE_ADD : kind == TOKEN_MINUS ? NODE_SUB : NODE_INT;
  case LEVEL_PRODUCT:
    return kind == TOKEN_TIMES     ? NODE_MUL
           : kind == TOKEN_DIVIDE  ? NODE_DIV
           : kind == TOKEN_PERCENT ? NODE_MOD
                                   : NODE_INT;
  case LEVEL_CONCAT: return kind == TOKEN_CARET ? NODE_CONCAT : NODE_INT;
  default: return NODE_INT;
  }
}

static CspNode *parse_unary(CspParser *p, CspNodeKind kind, int level) {
  CspPlace place = csp_peek(p)->place;
  p->at++;
  return csp_node_list(p, kind, place, 1, parse_level(p, level));
}

static CspNode *parse_binary(CspParser *p, int level) {
  CspNode *left = parse_level(p, level + 1);
  for (;;) {
    CspNodeKind kind = binary_kind(p, level);
    if (kind == NODE_INT) return left;
    CspPlace place = csp_peek(p)->place;
    p->at++;
    left = csp_node_list(p, kind, place, 2, left, parse_level(p, level + 1));
    if (level == LEVEL_COMPARE) return left;
  }
}

static CspNode *parse_dot(CspParser *p) {
  CspNode *left = parse_level(p, LEVEL_OR);
  if (csp_at(p, TOKEN_DOT)) {
    CspNode *node = csp_node(p, NODE_DOT, left->place);
    CspList kids = {0};
    csp_list_push(p->csp, &kids, left);
    while (csp_accept(p, TOKEN_DOT))
      csp_list_push(p->csp, &kids, parse_level(p, LEVEL_OR));
    csp_set_kids(p, node, &kids);
    left = node;
  }
  if (csp_at(p, TOKEN_DOUBLE_AT)) {
    CspPlace place = csp_peek(p)->place;
    p->at++;
    left = csp_node_list(p, NODE_DOUBLE, place, 2, left, parse_dot(p));
  }
  return left;
}

CspNode *csp_parse_tight(CspParser *p) {
  return parse_level(p, LEVEL_DOT);
}

/* ---- prefix and guard -------------------------------------------------------------- */

static CspNode *parse_field(CspParser *p) {
  CspToken *token = csp_peek(p);
  CspNode *node = csp_node(p, NODE_FIELD, token->place);
  CspList kids = {0};
  node->op = token->kind == TOKEN_QUESTION ? '?' : token->kind == TOKEN_BANG ? '!' : '$';
  p->at++;
  csp_list_push(p->csp, &kids, csp_parse_tight(p));
  if (node->op != '!' && csp_accept(p, TOKEN_COLON))
    csp_list_push(p->csp, &kids, csp_parse_tight(p));
  csp_set_kids(p, node, &kids);
  return node;
}

static bool at_field(const CspParser *p) {
  CspTokenKind kind = csp_peek(p)->kind;
  return kind == TOKEN_QUESTION || kind == TOKEN_BANG || kind == TOKEN_DOLLAR;
}

static CspNode *parse_prefix(CspParser *p) {
  CspNode *left = csp_parse_tight(p);
  if (at_field(p) || csp_at(p, TOKEN_ARROW)) {
    CspNode *node = csp_node(p, NODE_PREFIX, left->place);
    CspList kids = {0};
    csp_list_push(p->csp, &kids, left);
    while (at_field(p)) csp_list_push(p->csp, &kids, parse_field(p));
    csp_expect(p, TOKEN_ARROW, "after the event");
    csp_list_push(p->csp, &kids, parse_level(p, LEVEL_PREFIX));
    csp_set_kids(p, node, &kids);
    return node;
  }
  if (csp_at(p, TOKEN_AMP)) {
    CspPlace place = csp_peek(p)->place;
    p->at++;
    return csp_node_list(p, NODE_GUARD, place, 2, left, parse_level(p, LEVEL_PREFIX));
  }
  return left;
}

/* ---- process operators ------------------------------------------------------------- */

/* P op[ set ]close Q */
static CspNode *parse_with_set(CspParser *p, CspNode *left, CspTokenKind close,
                               CspNodeKind kind, const char *what, int level) {
  CspPlace place = csp_peek(p)->place;
  p->at++;
  CspNode *set = csp_parse_expr(p);
  csp_expect(p, close, what);
  return csp_node_list(p, kind, place, 3, left, set, parse_level(p, level + 1));
}

/* P [| S |] Q and P [| S |> Q */
static CspNode *parse_share(CspParser *p, CspNode *left) {
  CspPlace place = csp_peek(p)->place;
  p->at++;
  CspNode *set = csp_parse_expr(p);
  CspNodeKind kind = csp_at(p, TOKEN_CLOSE_EXCEPTION) ? NODE_EXCEPTION : NODE_SHARE;
  if (!csp_accept(p, TOKEN_CLOSE_EXCEPTION))
    csp_expect(p, TOKEN_CLOSE_SHARE, "after the events that are shared");
  return csp_node_list(p, kind, place, 3, left, set, parse_level(p, LEVEL_PARALLEL + 1));
}

/* P [ A || B ] Q and P [ a <-> b ] Q */
static CspNode *parse_bracket(CspParser *p, CspNode *left) {
  CspPlace place = csp_peek(p)->place;
  p->at++;
  CspNode *first = csp_parse_tight(p);
  if (csp_accept(p, TOKEN_PARALLEL)) {
    CspNode *second = csp_parse_tight(p);
    csp_expect(p, TOKEN_CLOSE_BRACKET, "after the two alphabets");
    return csp_node_list(p, NODE_ALPHA, place, 4, left, first, second,
                         parse_level(p, LEVEL_PARALLEL + 1));
  }
  if (!csp_at(p, TOKEN_LINK)) csp_unexpected(p, "'||' or '<->'");
  CspNode *node = csp_node(p, NODE_LINK, place);
  CspList kids = {0};
  csp_list_push(p->csp, &kids, left);
  csp_list_push(p->csp, &kids, NULL); /* the right process, known below */
  csp_list_push(p->csp, &kids, first);
  p->at++;
  csp_list_push(p->csp, &kids, csp_parse_tight(p));
  if (csp_accept(p, TOKEN_COMMA))
    parse_pairs(p, TOKEN_LINK, "between the linked events", &kids);
  if (csp_accept(p, TOKEN_BAR)) csp_parse_stmts(p, node);
  csp_expect(p, TOKEN_CLOSE_BRACKET, "after the linked events");
  kids.data[1] = parse_level(p, LEVEL_PARALLEL + 1);
  csp_set_kids(p, node, &kids);
  return node;
}

static CspNode *parse_operator(CspParser *p, CspNode *left, CspNodeKind kind, int level) {
  CspPlace place = csp_peek(p)->place;
  p->at++;
  return csp_node_list(p, kind, place, 2, left, parse_level(p, level + 1));
}

/* The operator of this level at the cursor applied to `left`, or NULL. */
static CspNode *parse_infix(CspParser *p, CspNode *left, int level) {
  CspTokenKind kind = csp_peek(p)->kind;
  switch (level) {
  case LEVEL_HIDE:
    if (kind == TOKEN_BACKSLASH) return parse_operator(p, left, NODE_HIDE, level);
    return kind == TOKEN_PROJECT ? parse_operator(p, left, NODE_PROJECT, level) : NULL;
  case LEVEL_INTERLEAVE:
    return kind == TOKEN_INTERLEAVE ? parse_operator(p, left, NODE_INTERLEAVE, level)
                                    : NULL;
  case LEVEL_PARALLEL:
    if (kind == TOKEN_OPEN_SHARE) return parse_share(p, left);
    return kind == TOKEN_OPEN_BRACKET ? parse_bracket(p, left) : NULL;
  case LEVEL_INTCHOICE:
    return kind == TOKEN_INTCHOICE ? parse_operator(p, left, NODE_INTCHOICE, level)
                                   : NULL;
  case LEVEL_EXTCHOICE:
    if (kind == TOKEN_OPEN_SYNCEXT)
      return parse_with_set(p, left, TOKEN_CLOSE_SYNCEXT, NODE_SYNCEXT,
                            "after the synchronised events", level);
    return kind == TOKEN_EXTCHOICE ? parse_operator(p, left, NODE_EXTCHOICE, level)
                                   : NULL;
  case LEVEL_SLIDING:
    if (kind == TOKEN_SLIDING) return parse_operator(p, left, NODE_SLIDING, level);
    if (kind == TOKEN_OPEN_SYNCINT)
      return parse_with_set(p, left, TOKEN_CLOSE_SYNCINT, NODE_SYNCINT,
                            "after the synchronised events", level);
    return kind == TOKEN_INTERRUPT ? parse_operator(p, left, NODE_INTERRUPT, level)
                                   : NULL;
  case LEVEL_SEMI:
    return kind == TOKEN_SEMI ? parse_operator(p, left, NODE_SEMI, level) : NULL;
  default: return NULL;
  }
}

static CspNode *parse_level(CspParser *p, int level) {
  csp_check_stack(p->csp, csp_peek(p)->place, "this expression");
  switch (level) {
  case LEVEL_PREFIX: return parse_prefix(p);
  case LEVEL_DOT: return parse_dot(p);
  case LEVEL_NOT:
    return csp_at(p, TOKEN_NOT) ? parse_unary(p, NODE_NOT, LEVEL_NOT)
                                : parse_level(p, LEVEL_COMPARE);
  case LEVEL_SIGN:
    if (csp_at(p, TOKEN_MINUS)) return parse_unary(p, NODE_NEG, LEVEL_SIGN);
    if (csp_at(p, TOKEN_HASH)) return parse_unary(p, NODE_LENGTH, LEVEL_SIGN);
    return parse_level(p, LEVEL_CONCAT);
  case LEVEL_POSTFIX: return parse_postfix(p);
  case LEVEL_OR:
  case LEVEL_AND:
  case LEVEL_COMPARE:
  case LEVEL_SUM:
  case LEVEL_PRODUCT:
  case LEVEL_CONCAT: return parse_binary(p, level);
  default: break;
  }
  CspNode *left = parse_level(p, level + 1);
  for (CspNode *more; (more = parse_infix(p, left, level));) left = more;
  return left;
}

CspNode *csp_parse_expr(CspParser *p) {
  return parse_level(p, LEVEL_HIDE);
}
