/* Confined objects: those of which no thread but the one that made them ever has the address.
 *
 * An address gets from one thread to another through memory that both can name, or with a
 * creation, a join, or the help of the library. So what is stored, in whatever way, in
 *   globals, state of the library, memory from outside, what code outside may reach,
 * or handed
 *   to a thread as its argument, by a thread as its result, to what the library calls later,
 * may be known to others, and so may be all that is stored in such an object. All other
 * objects on stacks, in thread-local storage and on the heap are confined. Where an object is
 * stored is what the points-to relation says. */
#include "proof/proof_internal.h"

typedef VEC(AObject) Work;

static void expose(Proof *p, AObject o, Work *work) {
  if (o >= pointsto_object_count(p->pt) || p->exposed[o]) return;
  p->exposed[o] = 1;
  vec_push(work, o);
}

static void expose_targets(Proof *p, Targets t, Work *work) {
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function) expose(p, t.targets[i].object, work);
}

static void expose_value(Proof *p, ExprId e, Work *work) {
  if (e) expose_targets(p, pointsto_expr(p->pt, e), work);
}

/* It has a name that every thread understands, or code outside may know it. */
static bool is_public(const Proof *p, AObject o) {
  if (o == AOBJECT_UNKNOWN || pointsto_escapes(p->pt, o)) return true;
  AObjectKind kind = pointsto_object_kind(p->pt, o);
  if (kind == AOBJECT_PROGRAM) {
    uint8_t storage = p->p->objects.data[o].kind;
    return storage != OBJECT_STACK && storage != OBJECT_TLS && storage != OBJECT_HEAP;
  }
  return kind != AOBJECT_CONTEXT && kind != AOBJECT_ALLOCATED && kind != AOBJECT_VARARGS;
}

static bool hands_on(const Proof *p, FuncId f) {
  const Function *x = &p->p->functions.data[f];
  for (uint32_t i = 0; i < x->effect_count; i++)
    if (p->p->effects.data[x->first_effect + i].kind == EFFECT_CALL_LATER) return true;
  return false;
}

static void look_at_call(Proof *p, EdgeId id, Work *work) {
  const Edge *e = program_edge(p->p, id);
  const Expr *callee = program_expr(p->p, e->a);
  const FuncId *callees;
  uint32_t n = pointsto_callees(p->pt, id, &callees);
  bool on = callee->kind == EXPR_FUNC && hands_on(p, (FuncId)callee->data);
  for (uint32_t i = 0; i < n; i++) on = on || hands_on(p, callees[i]);
  for (uint32_t i = 0; on && i < e->arg_count; i++)
    expose_value(p, p->p->args.data[e->first_arg + i].value, work);
}

static void look_at_edge(Proof *p, EdgeId id, bool entry, Work *work) {
  const Edge *e = program_edge(p->p, id);
  switch ((OpKind)e->op) {
  case OP_CREATE: expose_value(p, e->c, work); break;
  case OP_EXIT_THREAD: expose_value(p, e->a, work); break;
  case OP_RETURN:
    if (entry) expose_value(p, e->a, work);
    break;
  case OP_CALL: look_at_call(p, id, work); break;
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

void shares_prepare(Proof *p) {
  Work work = {0};
  uint32_t count = pointsto_object_count(p->pt);
  p->exposed = mem_alloc_zero(count + 1);
  for (AObject o = 0; o < count; o++)
    if (is_public(p, o)) expose(p, o, &work);
  for (FuncId f = 1; f < p->p->functions.len; f++) {
    const Function *x = &p->p->functions.data[f];
    bool entry = false;
    for (uint32_t t = 1; t < p->c->threads.len; t++)
      entry = entry || p->c->threads.data[t].entry == f;
    for (uint32_t i = 0; i < x->edge_count; i++)
      look_at_edge(p, x->first_edge + i, entry, &work);
  }
  while (work.len) {
    AObject o = vec_pop(&work), base = pointsto_base_object(p->pt, o);
    if (base) expose(p, base, &work);
    expose_targets(p, pointsto_content(p->pt, o, OFFSET_ANY), &work);
  }
  vec_free(&work);
}

bool object_is_confined(const Proof *p, AObject o) {
  return o && o < pointsto_object_count(p->pt) && !p->exposed[o];
}
