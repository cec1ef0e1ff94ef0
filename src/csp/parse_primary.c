/* The primary forms of expressions: literals, names, everything in brackets, let, if,
 * lambda and the replicated operators; and the statements inside them.
 *
 * In: tokens. Out: nodes. Inside any bracket but < > the sign > is a comparison again. */
#include "csp/parse.h"

#include <string.h>

/* ---- statements -------------------------------------------------------------------- */

void csp_parse_stmts(CspParser *p, CspNode *node) {
  CspList stmts = {0};
  do {
    CspPlace place = csp_peek(p)->place;
    CspNode *first = csp_parse_tight(p);
    if (csp_accept(p, TOKEN_COLON) || csp_accept(p, TOKEN_GENERATOR))
      first = csp_node_list(p, NODE_GENERATOR, place, 2, first, csp_parse_tight(p));
    else
      first = csp_node_list(p, NODE_FILTER, place, 1, first);
    csp_list_push(p->csp, &stmts, first);
  } while (csp_accept(p, TOKEN_COMMA));
  node->stmts = (CspNode **)stmts.data;
  node->stmt_count = stmts.len;
}

void csp_parse_arguments(CspParser *p, CspTokenKind close, CspList *out) {
  bool in_seq = p->in_seq;
  p->in_seq = close == TOKEN_GREATER;
  if (!csp_at(p, close) && !csp_at(p, TOKEN_BAR)) do
      csp_list_push(p->csp, out, csp_parse_expr(p));
    while (csp_accept(p, TOKEN_COMMA));
  if (close == TOKEN_CLOSE) csp_expect(p, close, "after the arguments");
  p->in_seq = in_seq;
}

/* ---- brackets ---------------------------------------------------------------------- */

static CspNode *parse_parens(CspParser *p) {
  CspPlace place = csp_peek(p)->place;
  CspList kids = {0};
  p->at++;
  csp_parse_arguments(p, TOKEN_CLOSE, &kids);
  if (kids.len == 1) return kids.data[0];
  CspNode *node = csp_node(p, NODE_TUPLE, place);
  csp_set_kids(p, node, &kids);
  return node;
}

/* < >, { } and {| |} with their ranges and comprehensions. */
static CspNode *parse_collection(CspParser *p, CspTokenKind close, CspNodeKind plain,
                                 CspNodeKind range) {
  CspNode *node = csp_node(p, plain, csp_peek(p)->place);
  CspList kids = {0};
  bool in_seq = p->in_seq;
  p->at++;
  csp_parse_arguments(p, close, &kids);
  p->in_seq = close == TOKEN_GREATER;
  if (kids.len == 1 && plain != NODE_CHANSET && csp_accept(p, TOKEN_DOTS)) {
    node->kind = range;
    if (!csp_at(p, close) && !csp_at(p, TOKEN_BAR))
      csp_list_push(p->csp, &kids, csp_parse_expr(p));
  }
  if (csp_accept(p, TOKEN_BAR)) csp_parse_stmts(p, node);
  csp_expect(p, close,
             close == TOKEN_GREATER     ? "at the end of the sequence"
             : close == TOKEN_CLOSE_SET ? "at the end of the set"
                                        : "at the end of the set of channels");
  p->in_seq = in_seq;
  csp_set_kids(p, node, &kids);
  return node;
}

static CspNode *parse_map(CspParser *p) {
  CspNode *node = csp_node(p, NODE_MAP, csp_peek(p)->place);
  CspList kids = {0};
  bool in_seq = p->in_seq;
  p->in_seq = false;
  p->at++;
  if (!csp_at(p, TOKEN_CLOSE_MAP)) do {
      csp_list_push(p->csp, &kids, csp_parse_tight(p));
      csp_expect(p, TOKEN_MAPS_TO, "between key and value");
      csp_list_push(p->csp, &kids, csp_parse_tight(p));
    } while (csp_accept(p, TOKEN_COMMA));
  csp_expect(p, TOKEN_CLOSE_MAP, "at the end of the map");
  p->in_seq = in_seq;
  csp_set_kids(p, node, &kids);
  return node;
}

/* ---- let, if, lambda --------------------------------------------------------------- */

static CspNode *parse_if(CspParser *p) {
  CspPlace place = csp_peek(p)->place;
  bool in_seq = p->in_seq;
  p->in_seq = false;
  p->at++;
  CspNode *condition = csp_parse_expr(p);
  csp_expect(p, TOKEN_THEN, "after the condition");
  CspNode *yes = csp_parse_expr(p);
  csp_expect(p, TOKEN_ELSE, "after the first branch");
  p->in_seq = in_seq;
  return csp_node_list(p, NODE_IF, place, 3, condition, yes, csp_parse_expr(p));
}

static CspNode *parse_let(CspParser *p) {
  CspNode *node = csp_node(p, NODE_LET, csp_peek(p)->place);
  bool in_seq = p->in_seq;
  p->in_seq = false;
  p->at++;
  csp_parse_let(p, node);
  csp_expect(p, TOKEN_WITHIN, "after the definitions of let");
  p->in_seq = in_seq;
  CspList kids = {0};
  csp_list_push(p->csp, &kids, csp_parse_expr(p));
  csp_set_kids(p, node, &kids);
  return node;
}

static CspNode *parse_lambda(CspParser *p) {
  CspNode *node = csp_node(p, NODE_LAMBDA, csp_peek(p)->place);
  CspList kids = {0};
  p->at++;
  do csp_list_push(p->csp, &kids, csp_parse_tight(p));
  while (csp_accept(p, TOKEN_COMMA));
  csp_expect(p, TOKEN_AT, "after the parameters");
  csp_list_push(p->csp, &kids, csp_parse_expr(p));
  csp_set_kids(p, node, &kids);
  return node;
}

/* ---- replicated operators ---------------------------------------------------------- */

static void finish_replicated(CspParser *p, CspNode *node, CspList *kids) {
  csp_parse_stmts(p, node);
  csp_expect(p, TOKEN_AT, "after the generators");
  if (node->op == NODE_ALPHA) {
    csp_expect(p, TOKEN_OPEN_BRACKET, "before the alphabet");
    csp_list_push(p->csp, kids, csp_parse_expr(p));
    csp_expect(p, TOKEN_CLOSE_BRACKET, "after the alphabet");
  }
  csp_list_push(p->csp, kids, csp_parse_expr(p));
  csp_set_kids(p, node, kids);
}

static CspNode *parse_replicated(CspParser *p, CspNodeKind op, CspTokenKind close) {
  CspNode *node = csp_node(p, NODE_REPLICATED, csp_peek(p)->place);
  CspList kids = {0};
  bool in_seq = p->in_seq;
  p->in_seq = false;
  node->op = op;
  p->at++;
  if (close != TOKEN_END) {
    csp_list_push(p->csp, &kids, csp_parse_expr(p));
    csp_expect(p, close, "after the shared events");
  }
  finish_replicated(p, node, &kids);
  p->in_seq = in_seq;
  return node;
}

/* [a <-> b, … | stmts] x:s @ P */
static CspNode *parse_replicated_link(CspParser *p) {
  CspNode *node = csp_node(p, NODE_REPLICATED, csp_peek(p)->place);
  CspList ties = {0}, kids = {0};
  node->op = NODE_LINK;
  p->at++;
  do {
    csp_list_push(p->csp, &ties, csp_parse_tight(p));
    csp_expect(p, TOKEN_LINK, "between the linked events");
    csp_list_push(p->csp, &ties, csp_parse_tight(p));
  } while (csp_accept(p, TOKEN_COMMA));
  if (csp_accept(p, TOKEN_BAR)) {
    csp_parse_stmts(p, node);
    node->extra = node->stmts;
    node->extra_count = node->stmt_count;
  }
  csp_expect(p, TOKEN_CLOSE_BRACKET, "after the linked events");
  csp_parse_stmts(p, node);
  csp_expect(p, TOKEN_AT, "after the generators");
  csp_list_push(p->csp, &kids, csp_parse_expr(p));
  for (uint32_t i = 0; i < ties.len; i++) csp_list_push(p->csp, &kids, ties.data[i]);
  csp_set_kids(p, node, &kids);
  return node;
}

/* ---- names and the choice of form -------------------------------------------------- */

/* In a timed section the constant processes let time pass. */
static const CspName *timed_name(CspParser *p, const CspName *name) {
  static const char *const names[] = {"STOP", "SKIP", "RUN", "CHAOS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name->text, names[i]) == 0)
      return csp_name_of(p->csp, arena_printf(p->csp->arena, "T%s", names[i]));
  return name;
}

static CspNode *parse_name(CspParser *p) {
  CspNode *node = csp_node(p, NODE_NAME, csp_peek(p)->place);
  node->name = csp_peek(p)->name;
  p->at++;
  while (csp_at(p, TOKEN_QUALIFY) && p->tokens[p->at + 1].kind == TOKEN_NAME) {
    node->name =
        csp_name_of(p->csp, arena_printf(p->csp->arena, "%s::%s", node->name->text,
                                         p->tokens[p->at + 1].name->text));
    p->at += 2;
  }
  if (p->timed) node->name = timed_name(p, node->name);
  return node;
}

static CspNode *parse_literal(CspParser *p, CspNodeKind kind) {
  CspNode *node = csp_node(p, kind, csp_peek(p)->place);
  node->number = csp_at(p, TOKEN_TRUE) ? 1 : csp_peek(p)->number;
  node->name = csp_peek(p)->name;
  p->at++;
  return node;
}

CspNode *csp_parse_primary(CspParser *p) {
  csp_check_stack(p->csp, csp_peek(p)->place, "this expression");
  switch (csp_peek(p)->kind) {
  case TOKEN_INT: return parse_literal(p, NODE_INT);
  case TOKEN_CHAR: return parse_literal(p, NODE_CHAR);
  case TOKEN_STRING: return parse_literal(p, NODE_STRING);
  case TOKEN_TRUE:
  case TOKEN_FALSE: return parse_literal(p, NODE_BOOL);
  case TOKEN_WILD: return parse_literal(p, NODE_WILD);
  case TOKEN_NAME: return parse_name(p);
  case TOKEN_OPEN: return parse_parens(p);
  case TOKEN_EMPTY_SEQ: return parse_literal(p, NODE_SEQ);
  case TOKEN_LESS: return parse_collection(p, TOKEN_GREATER, NODE_SEQ, NODE_SEQ_RANGE);
  case TOKEN_OPEN_SET:
    return parse_collection(p, TOKEN_CLOSE_SET, NODE_SET, NODE_SET_RANGE);
  case TOKEN_OPEN_CHANSET:
    return parse_collection(p, TOKEN_CLOSE_CHANSET, NODE_CHANSET, NODE_CHANSET);
  case TOKEN_OPEN_MAP: return parse_map(p);
  case TOKEN_IF: return parse_if(p);
  case TOKEN_LET: return parse_let(p);
  case TOKEN_BACKSLASH: return parse_lambda(p);
  case TOKEN_EXTCHOICE: return parse_replicated(p, NODE_EXTCHOICE, TOKEN_END);
  case TOKEN_INTCHOICE: return parse_replicated(p, NODE_INTCHOICE, TOKEN_END);
  case TOKEN_INTERLEAVE: return parse_replicated(p, NODE_INTERLEAVE, TOKEN_END);
  case TOKEN_PARALLEL: return parse_replicated(p, NODE_ALPHA, TOKEN_END);
  case TOKEN_SEMI: return parse_replicated(p, NODE_SEMI, TOKEN_END);
  case TOKEN_OPEN_SHARE: return parse_replicated(p, NODE_SHARE, TOKEN_CLOSE_SHARE);
  case TOKEN_OPEN_SYNCEXT: return parse_replicated(p, NODE_SYNCEXT, TOKEN_CLOSE_SYNCEXT);
  case TOKEN_OPEN_BRACKET: return parse_replicated_link(p);
  default: csp_unexpected(p, "an expression");
  }
}
