/* See restarted.h. A search through the function over two states: the flags are known to have the bit,
 * or they are not. Whatever may write them, other than a plain store of a number, ends the knowledge;
 * whatever else is done with the structure's address makes the answer no. */
#include "engine/restarted.h"

#include "base/mem.h"

/* struct sigaction of x86-64 Linux. */
enum { FLAGS_AT = 136, FLAGS_END = 140, RESTART = 0x10000000 };

typedef struct {
  const Program *p;
  const Function *f;
  ObjectId object;
} Structure;

/* Into the structure, at a place that is known. */
static bool is_inside(const Structure *s, ExprId id, int64_t *ret_offset) {
  *ret_offset = 0;
  const Expr *x = program_expr(s->p, id);
  for (; x->kind == EXPR_PTRADD; x = program_expr(s->p, x->a)) {
    const Expr *by = program_expr(s->p, x->b);
    if (by->kind != EXPR_CONST) return false;
    *ret_offset += (int64_t)by->value;
  }
  return x->kind == EXPR_OBJECT && x->data == s->object;
}

static bool mentions(const Structure *s, ExprId id) {
  if (!id) return false;
  const Expr *x = program_expr(s->p, id);
  if (x->kind == EXPR_OBJECT) return x->data == s->object;
  const ExprId operands[] = {x->a, x->b, x->c};
  for (int i = 0; i < expr_operand_count((ExprKind)x->kind); i++)
    if (mentions(s, operands[i])) return true;
  return false;
}

static bool meets_flags(int64_t from, uint64_t size) {
  return from < FLAGS_END && from + (int64_t)size > FLAGS_AT;
}

typedef enum { KEEPS, SETS, LOSES, ESCAPES } Change;

/* A library function gets a pointer into the structure as its argument number i. */
static Change passed(const Structure *s, const Function *callee, uint32_t i, ExprId id) {
  int64_t at;
  if ((callee->flags & (FUNCTION_DEFINED | FUNCTION_UNKNOWN)) || !is_inside(s, id, &at))
    return ESCAPES;
  for (uint32_t k = 0; k < callee->effect_count; k++) {
    const Effect *x = vec_at(&s->p->effects, callee->first_effect + k);
    bool content = x->flags & EFFECT_CONTENT; /* a handler, not the structure */
    if (x->kind == EFFECT_READ || (x->arg != i && x->other != i)) continue;
    if (content && (x->kind == EFFECT_KEEP || x->kind == EFFECT_CALL_LATER)) continue;
    if (x->kind != EFFECT_WRITE || x->extent != EXTENT_BYTES) return ESCAPES;
    if (meets_flags(at, x->size)) return ESCAPES;
  }
  return KEEPS;
}

static Change called(const Structure *s, const Edge *e) {
  const Expr *callee = program_expr(s->p, e->a);
  for (uint32_t i = 0; i < e->arg_count; i++) {
    ExprId value = vec_at(&s->p->args, e->first_arg + i)->value;
    if (!mentions(s, value)) continue;
    if (callee->kind != EXPR_FUNC) return ESCAPES;
    const Function *f = vec_at(&s->p->functions, (FuncId)callee->data);
    if (passed(s, f, i, value) != KEEPS) return ESCAPES;
  }
  return KEEPS;
}

static Change stored(const Structure *s, const Edge *e) {
  int64_t at;
  const Expr *value = program_expr(s->p, e->b);
  if (!is_inside(s, e->a, &at) || mentions(s, e->b)) return ESCAPES;
  if (!meets_flags(at, e->size)) return KEEPS;
  bool whole = at == FLAGS_AT && e->size == FLAGS_END - FLAGS_AT;
  return whole && value->kind == EXPR_CONST && (value->value & RESTART) ? SETS : LOSES;
}

/* What the edge does to the flags. */
static Change change_by(const Structure *s, const Edge *e) {
  int64_t at;
  if (e->op == OP_CALL) return called(s, e);
  if (!mentions(s, e->a) && !mentions(s, e->b) && !mentions(s, e->c)) return KEEPS;
  if (e->op == OP_STORE) return stored(s, e);
  if (e->op == OP_LOAD) return is_inside(s, e->a, &at) ? KEEPS : ESCAPES;
  return e->op == OP_FILL && !mentions(s, e->b) && !mentions(s, e->c) ? LOSES : ESCAPES;
}

typedef struct {
  NodeId node;
  bool set;
} Visit;

/* The flags are known to be set on every way to the edge. */
static bool are_set(const Structure *s, EdgeId call) {
  uint8_t *seen = mem_alloc_zero((s->f->node_count + 1) * 2);
  VEC(Visit) stack = {0};
  bool good = true;
  vec_push(&stack, ((Visit){s->f->entry, false}));
  while (stack.len && good) {
    Visit v = vec_pop(&stack);
    uint8_t *here = &seen[(v.node - s->f->first_node) * 2 + v.set];
    if (*here) continue;
    *here = 1;
    for (EdgeId id = node_first_edge(s->p, v.node); id < node_end_edge(s->p, v.node);
         id++) {
      const Edge *e = program_edge(s->p, id);
      Change change = change_by(s, e);
      good = good && change != ESCAPES && (id != call || v.set);
      bool set = change == SETS || (change == KEEPS && v.set);
      if (e->to) vec_push(&stack, ((Visit){e->to, set}));
    }
  }
  vec_free(&stack);
  mem_free(seen);
  return good;
}

bool restarts_waits(const Program *p, EdgeId call) {
  const Edge *e = program_edge(p, call);
  if (e->op != OP_CALL || e->arg_count < 2) return false;
  const Expr *action = program_expr(p, vec_at(&p->args, e->first_arg + 1)->value);
  if (action->kind != EXPR_OBJECT) return false;
  const Object *o = vec_at(&p->objects, (ObjectId)action->data);
  FuncId function = vec_at(&p->nodes, e->from)->function;
  Structure s = {p, vec_at(&p->functions, function), (ObjectId)action->data};
  return o->kind == OBJECT_STACK && o->owner == function && are_set(&s, call);
}
