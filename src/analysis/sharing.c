/* See sharing.h. A search over the points-to graph from everything that crosses threads. */
#include "analysis/sharing.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

struct Sharing {
  const Program *program;
  const PointsTo *pointsto;
  uint8_t *shared; /* by abstract object */
  uint32_t count;
  VEC(AObject) queue;
  Map seen; /* sets of targets */
};

static void share(Sharing *s, AObject object) {
  if (object >= s->count || s->shared[object]) return;
  s->shared[object] = 1;
  vec_push(&s->queue, object);
}

static void share_targets(Sharing *s, Targets t) {
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function) share(s, t.targets[i].object);
}

/* Sets that many objects hold are looked at once. */
static void share_set(Sharing *s, Targets t) {
  uint64_t *known = map_at(&s->seen, map_key(t.targets));
  if (!*known) share_targets(s, t);
  *known = 1;
}

static void share_value(Sharing *s, ExprId value) {
  if (value) share_targets(s, pointsto_expr(s->pointsto, value));
}

/* Made anew by each thread: frames, thread-local variables, allocations. */
static bool is_made_by_threads(const Sharing *s, AObject o) {
  switch (pointsto_object_kind(s->pointsto, o)) {
  case AOBJECT_PROGRAM: {
    uint32_t kind = s->program->objects.data[o].kind;
    return kind == OBJECT_STACK || kind == OBJECT_HEAP || kind == OBJECT_TLS;
  }
  case AOBJECT_CONTEXT:
  case AOBJECT_ALLOCATED:
  case AOBJECT_VARARGS:
  case AOBJECT_BUFFER: return true;
  case AOBJECT_OUTSIDE:
  case AOBJECT_ARGUMENTS:
  case AOBJECT_HIDDEN: break;
  }
  return false;
}

/* What was passed to code outside of the program may be known anywhere. */
static void share_roots(Sharing *s) {
  for (AObject o = 0; o < s->count; o++)
    if (!is_made_by_threads(s, o) || pointsto_escapes(s->pointsto, o)) share(s, o);
}

/* The library calls back later, with what was handed over now, in any thread; or it keeps a
 * pointer, and any thread may get it. */
static bool hands_over(const Program *p, FuncId f) {
  const Function *function = &p->functions.data[f];
  for (uint32_t i = 0; i < function->effect_count; i++) {
    const Effect *x = &p->effects.data[function->first_effect + i];
    if (x->kind == EFFECT_CALL_LATER ||
        (x->kind == EFFECT_KEEP && !(x->flags & EFFECT_TLS)))
      return true;
  }
  return false;
}

static bool may_hand_over(const Sharing *s, EdgeId e) {
  const Expr *callee = program_expr(s->program, program_edge(s->program, e)->a);
  if (callee->kind == EXPR_FUNC) return hands_over(s->program, (FuncId)callee->data);
  const FuncId *functions;
  uint32_t n = pointsto_callees(s->pointsto, e, &functions);
  for (uint32_t i = 0; i < n; i++)
    if (hands_over(s->program, functions[i])) return true;
  return false;
}

/* Pointers in bytes that leave the program may come back in any thread. */
static void share_sent(Sharing *s, const Edge *call) {
  const Expr *callee = program_expr(s->program, call->a);
  const Function *f =
      callee->kind == EXPR_FUNC ? &s->program->functions.data[callee->data] : NULL;
  for (uint32_t i = 0; f && i < f->effect_count; i++) {
    const Effect *x = &s->program->effects.data[f->first_effect + i];
    if (x->kind != EFFECT_READ || !(x->flags & EFFECT_OUTSIDE) ||
        x->arg >= call->arg_count)
      continue;
    ExprId value = vec_at(&s->program->args, call->first_arg + x->arg)->value;
    Targets t = pointsto_expr(s->pointsto, value), set;
    for (uint32_t k = 0; k < t.count; k++)
      for (uint32_t n = 0;
           !t.targets[k].function &&
           pointsto_content_set(s->pointsto, t.targets[k].object, n, &set);
           n++)
        share_set(s, set);
  }
}

static void share_crossing(Sharing *s, EdgeId e, bool is_entry) {
  const Edge *edge = program_edge(s->program, e);
  switch ((OpKind)edge->op) {
  case OP_CREATE: share_value(s, edge->c); break;
  case OP_EXIT_THREAD: share_value(s, edge->a); break;
  case OP_RETURN:
    if (is_entry) share_value(s, edge->a);
    break;
  case OP_CALL:
    if (may_hand_over(s, e))
      for (uint32_t i = 0; i < edge->arg_count; i++)
        share_value(s, vec_at(&s->program->args, edge->first_arg + i)->value);
    share_sent(s, edge);
    break;
  case OPS_MOVE:
  case OPS_SET:
  case OP_UNREACHABLE:
  case OPS_MEMORY:
  case OP_JOIN:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OPS_SYNC:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
}

static bool is_thread_entry(const Sharing *s, FuncId f) {
  const EdgeId *callers;
  uint32_t n = pointsto_callers(s->pointsto, f, &callers);
  for (uint32_t i = 0; i < n; i++)
    if (program_edge(s->program, callers[i])->op == OP_CREATE) return true;
  return false;
}

Sharing *sharing_new(const Program *program, const PointsTo *pointsto) {
  Sharing *s = mem_alloc_zero(sizeof *s);
  s->program = program;
  s->pointsto = pointsto;
  s->count = pointsto_object_count(pointsto);
  s->shared = mem_alloc_zero(s->count + 1);
  share_roots(s);
  for (FuncId f = 1; f < program->functions.len; f++) {
    const Function *function = &program->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED)) continue;
    bool entry = is_thread_entry(s, f);
    for (uint32_t i = 0; i < function->edge_count; i++)
      share_crossing(s, function->first_edge + i, entry);
  }
  while (s->queue.len) {
    AObject object = vec_pop(&s->queue);
    AObject base = pointsto_base_object(pointsto, object);
    if (base) share(s, base);
    Targets set;
    for (uint32_t i = 0; pointsto_content_set(pointsto, object, i, &set); i++)
      share_set(s, set);
  }
  return s;
}

void sharing_free(Sharing *s) {
  if (!s) return;
  vec_free(&s->queue);
  map_free(&s->seen);
  mem_free(s->shared);
  mem_free(s);
}

bool sharing_is_private(const Sharing *s, AObject object) {
  return object && object < s->count && !s->shared[object];
}
