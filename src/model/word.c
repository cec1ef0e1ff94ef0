/* See word.h. */
#include "model/word.h"

bool word_may_be_taken(const Edge *e) {
  bool sets = e->op == OP_RMW && (e->aux == RMW_XCHG || e->aux == RMW_OR);
  return (sets || e->op == OP_CMPXCHG) && order_acquires(e->order);
}

bool word_may_be_freed(const Edge *e) {
  bool sets = e->op == OP_STORE || (e->op == OP_RMW && e->aux == RMW_XCHG);
  return sets && order_releases(e->order);
}

typedef enum { ANYTHING, ZERO, OTHER } Operand;

static Operand operand(const Edge *e, const int64_t *number) {
  if (!number || !e->size || e->size > 8) return ANYTHING;
  uint64_t mask = UINT64_MAX >> (64 - 8 * e->size);
  return (uint64_t)*number & mask ? OTHER : ZERO;
}

WordUse word_use(const Edge *e, const int64_t *b, const int64_t *c) {
  Operand first = operand(e, b), second = operand(e, c);
  if (e->op == OP_CMPXCHG)
    return word_may_be_taken(e) && first == ZERO && second == OTHER ? WORD_TAKES
                                                                    : WORD_NO_USE;
  if (word_may_be_taken(e) && first == OTHER) return WORD_TAKES;
  return word_may_be_freed(e) && first == ZERO ? WORD_FREES : WORD_NO_USE;
}

static bool constant(const Program *p, ExprId e, uint64_t *ret) {
  const Expr *x = program_expr(p, e);
  *ret = x->value;
  return e && x->kind == EXPR_CONST;
}

bool word_written(const Program *p, const Edge *edge, uint64_t *ret) {
  ExprId operand = edge->op == OP_CMPXCHG ? edge->c : edge->b;
  const Expr *x = program_expr(p, operand);
  if (x->kind != EXPR_LOCAL) return constant(p, operand, ret);
  const Function *f = &p->functions.data[p->nodes.data[edge->from].function];
  const Edge *made = NULL;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p, f->first_edge + i);
    if (e->dst != x->data && e->dst2 != x->data) continue;
    if (made) return false;
    made = e;
  }
  return made && made->op == OP_ASSIGN && constant(p, made->a, ret);
}

bool word_begins_free(const Program *p, ObjectId object) {
  const Object *o = &p->objects.data[object];
  if (o->kind != OBJECT_GLOBAL || (o->flags & OBJECT_EXTERNAL)) return false;
  for (uint64_t i = 0; i < o->init_size; i++)
    if (p->bytes.data[o->init + i]) return false;
  return true;
}
