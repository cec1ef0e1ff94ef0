/* See sharing.h. A search over the points-to graph from everything that crosses threads. */
#include "analysis/sharing.h"

#include "base/mem.h"
#include "base/vec.h"

struct Sharing {
  const Program *program;
  const PointsTo *pointsto;
  uint8_t *shared; /* by abstract object */
  uint32_t count;
  VEC(AObject) queue;
};

static void share(Sharing *s, AObject object) {
  if (object >= s->count || s->shared[object])
    return;
  s->shared[object] = 1;
  vec_push(&s->queue, object);
}

static void share_targets(Sharing *s, Targets t) {
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function)
      share(s, t.targets[i].object);
}

static void share_value(Sharing *s, ExprId value) {
  if (value)
    share_targets(s, pointsto_expr(s->pointsto, value));
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
    if (!is_made_by_threads(s, o) || pointsto_escapes(s->pointsto, o))
      share(s, o);
}

/* Called later by the library, with what was handed over now, in any thread. */
static bool calls_later(const Program *p, FuncId f) {
  const Function *function = &p->functions.data[f];
  for (uint32_t i = 0; i < function->effect_count; i++)
    if (p->effects.data[function->first_effect + i].kind == EFFECT_CALL_LATER)
      return true;
  return false;
}

static ExprId argument(const Sharing *s, const Edge *edge, uint32_t i) {
  return i < edge->arg_count ? vec_at(&s->program->args, edge->first_arg + i)->value : 0;
}

/* The library keeps a pointer where every thread can get it (epoll_wait). */
static void share_kept(Sharing *s, const Edge *edge, const Effect *x) {
  if (x->kind != EFFECT_KEEP || (x->flags & EFFECT_TLS))
    return;
  ExprId value = argument(s, edge, x->arg);
  if (!value)
    return;
  Targets t = pointsto_expr(s->pointsto, value);
  if (!(x->flags & EFFECT_CONTENT)) {
    share_targets(s, t);
    return;
  }
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function)
      share_targets(s, pointsto_content(s->pointsto, t.targets[i].object, OFFSET_ANY));
}

static void share_call(Sharing *s, const Edge *edge, FuncId callee) {
  const Function *f = &s->program->functions.data[callee];
  for (uint32_t i = 0; i < f->effect_count; i++)
    share_kept(s, edge, &s->program->effects.data[f->first_effect + i]);
  if (calls_later(s->program, callee))
    for (uint32_t i = 0; i < edge->arg_count; i++) share_value(s, argument(s, edge, i));
}

static void share_calls(Sharing *s, EdgeId e) {
  const Edge *edge = program_edge(s->program, e);
  const Expr *callee = program_expr(s->program, edge->a);
  if (callee->kind == EXPR_FUNC) {
    share_call(s, edge, (FuncId)callee->data);
    return;
  }
  const FuncId *functions;
  uint32_t n = pointsto_callees(s->pointsto, e, &functions);
  for (uint32_t i = 0; i < n; i++) share_call(s, edge, functions[i]);
}

static void share_crossing(Sharing *s, EdgeId e, bool is_entry) {
  const Edge *edge = program_edge(s->program, e);
  switch ((OpKind)edge->op) {
  case OP_CREATE:
    share_value(s, edge->c);
    break;
  case OP_EXIT_THREAD:
    share_value(s, edge->a);
    break;
  case OP_RETURN:
    if (is_entry)
      share_value(s, edge->a);
    break;
  case OP_CALL:
    share_calls(s, e);
    break;
  default:
    break;
  }
}

static bool is_thread_entry(const Sharing *s, FuncId f) {
  const EdgeId *callers;
  uint32_t n = pointsto_callers(s->pointsto, f, &callers);
  for (uint32_t i = 0; i < n; i++)
    if (program_edge(s->program, callers[i])->op == OP_CREATE)
      return true;
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
    if (!(function->flags & FUNCTION_DEFINED))
      continue;
    bool entry = is_thread_entry(s, f);
    for (uint32_t i = 0; i < function->edge_count; i++)
      share_crossing(s, function->first_edge + i, entry);
  }
  while (s->queue.len) {
    AObject object = vec_pop(&s->queue);
    AObject base = pointsto_base_object(pointsto, object);
    if (base)
      share(s, base);
    share_targets(s, pointsto_content(pointsto, object, OFFSET_ANY));
  }
  return s;
}

void sharing_free(Sharing *s) {
  if (!s)
    return;
  vec_free(&s->queue);
  mem_free(s->shared);
  mem_free(s);
}

bool sharing_is_private(const Sharing *s, AObject object) {
  return object && object < s->count && !s->shared[object];
}
