/* What an edge does to memory, read off the operation (model/op.h) and, for calls of functions
 * without a body, off their effects (model/effect.h). The bytes of synchronisation objects
 * themselves are not data: see proof_lock.c for what must hold of them. */
#include "proof/proof_internal.h"

#include "model/op_access.h"

#include <assert.h>

static void add(AccessVec *out, uint32_t flags, ExprId address, uint32_t size) {
  Access a = {.flags = flags, .address = address, .size = size};
  if (address) vec_push(out, a);
}

static uint32_t constant_size(const Proof *p, ExprId e) {
  const Expr *x = program_expr(p->p, e);
  return e && x->kind == EXPR_CONST && x->value < UINT32_MAX ? (uint32_t)x->value : 0;
}

/* ---- library functions ---- */

static ExprId argument(const Proof *p, const Edge *e, uint32_t i) {
  return i < e->arg_count ? p->p->args.data[e->first_arg + i].value : 0;
}

static uint32_t extent(const Proof *p, const Edge *e, const Effect *f) {
  if (f->extent == EXTENT_BYTES) return f->size;
  if (f->extent != EXTENT_ARG || f->times) return 0;
  uint64_t size = constant_size(p, argument(p, e, f->size));
  size *= f->scale ? f->scale : 1;
  return size < UINT32_MAX ? (uint32_t)size : 0;
}

static AObject hidden_object(const Proof *p, const Effect *f) {
  if (f->flags & EFFECT_VARIABLE) return f->size;
  const char *name = sym_text(p->p, f->name);
  for (ObjectId o = 1; o < p->p->objects.len; o++) {
    const Object *x = &p->p->objects.data[o];
    if (x->kind == OBJECT_LIBRARY && !strcmp(sym_text(p->p, x->name), name)) return o;
  }
  return pointsto_object_count(p->pt) + f->name; /* a number of its own */
}

static void add_argument(const Proof *p, const Edge *e, const Function *f,
                         const Effect *x, uint32_t flags, uint32_t size, AccessVec *out) {
  bool varargs = x->arg == ARG_VARARGS || x->extent == EXTENT_VARARGS;
  uint32_t first = varargs ? f->param_count : x->arg;
  uint32_t end = varargs ? e->arg_count : first + 1;
  for (uint32_t i = first; i < end; i++) {
    ExprId address = argument(p, e, i);
    /* an integer among them is printed or skipped, not followed */
    if (!address || (varargs && program_expr(p->p, address)->sort != SORT_PTR)) continue;
    add(out, flags, address, varargs ? 0 : size);
    if (x->flags & EFFECT_CONTENT) {
      add(out, flags, address, 0);
      vec_last(out)->behind = EFFECT_DEEP_STEPS;
    }
  }
}

static void add_effect(const Proof *p, const Edge *e, const Function *f, const Effect *x,
                       AccessVec *out) {
  bool synced = (x->flags & EFFECT_SYNCED) && !(x->flags & EFFECT_GLIBC);
  uint32_t how = synced ? ACCESS_SYNCED : 0;
  if ((x->kind == EFFECT_READ || x->kind == EFFECT_WRITE) && (x->flags & EFFECT_LATER))
    how |= x->flags & EFFECT_THREAD ? ACCESS_LATER | ACCESS_BESIDE : ACCESS_LATER;
  if (!effect_is_possible(p->p, e, x)) return;
  if (x->arg == ARG_KEPT && (x->kind == EFFECT_READ || x->kind == EFFECT_WRITE)) {
    uint32_t what = x->kind == EFFECT_READ ? ACCESS_READ : ACCESS_WRITE;
    vec_push(out, ((Access){.flags = what | how, .kept = x->name}));
    return;
  }
  switch ((EffectKind)x->kind) {
  case EFFECT_READ:
    add_argument(p, e, f, x, ACCESS_READ | how, extent(p, e, x), out);
    break;
  case EFFECT_WRITE:
    add_argument(p, e, f, x, ACCESS_WRITE | how, extent(p, e, x), out);
    break;
  case EFFECT_FREE: add_argument(p, e, f, x, ACCESS_WRITE | ACCESS_FREE, 0, out); break;
  case EFFECT_STORE: add(out, ACCESS_WRITE, argument(p, e, x->arg), 8); break;
  case EFFECT_ALLOC:
    if (x->arg != ARG_NONE) add(out, ACCESS_WRITE, argument(p, e, x->arg), 8);
    if (x->other != ARG_NONE) add(out, ACCESS_READ, argument(p, e, x->other), 0);
    break;
  case EFFECT_HIDDEN_READ:
  case EFFECT_HIDDEN_WRITE:
    if (!(x->flags & EFFECT_TLS)) {
      Access a = {.flags =
                      how | (x->kind == EFFECT_HIDDEN_READ ? ACCESS_READ : ACCESS_WRITE),
                  .object = hidden_object(p, x)};
      vec_push(out, a);
    }
    break;
  default: break;
  }
}

/* Nothing is known of the function: it may read and write what it is given a pointer to, and
 * what can be reached from there. That it touches nothing else is an assumption of the model. */
static void add_unknown(const Proof *p, const Edge *e, AccessVec *out) {
  for (uint32_t i = 0; i < e->arg_count; i++) {
    ExprId value = argument(p, e, i);
    if (program_expr(p->p, value)->sort != SORT_PTR) continue;
    add(out, ACCESS_READ | ACCESS_WRITE, value, 0);
    add(out, ACCESS_READ | ACCESS_WRITE, value, 0);
    vec_last(out)->behind = EFFECT_ALL_STEPS;
  }
}

static void add_call(Proof *p, EdgeId id, AccessVec *out) {
  const Edge *e = program_edge(p->p, id);
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Arg *a = &p->p->args.data[e->first_arg + i];
    if (a->passing.byval_size) add(out, ACCESS_READ, a->value, a->passing.byval_size);
  }
  const FuncId *callees;
  uint32_t count = pointsto_callees(p->pt, id, &callees);
  for (uint32_t i = 0; i < count; i++) {
    const Function *f = &p->p->functions.data[callees[i]];
    if (f->flags & FUNCTION_DEFINED) continue;
    if ((f->flags & FUNCTION_UNKNOWN) && !(f->flags & FUNCTION_PURE))
      add_unknown(p, e, out);
    for (uint32_t k = 0; k < f->effect_count; k++)
      add_effect(p, e, f, &p->p->effects.data[f->first_effect + k], out);
  }
  if (!count || pointsto_calls_unknown(p->pt, id)) add_unknown(p, e, out);
  if (pointsto_calls_unknown(p->pt, id))
    vec_push(out,
             ((Access){.flags = ACCESS_READ | ACCESS_WRITE, .object = AOBJECT_UNKNOWN}));
}

/* What the edge's operation touches stands in the model's table; only a call needs more. */
void edge_accesses(Proof *p, EdgeId id, AccessVec *out) {
  const Edge *e = program_edge(p->p, id);
  OpAccess list[OP_ACCESS_MAX];
  vec_clear(out);
  uint32_t n = op_accesses(p->p, e, list);
  assert(n <= OP_ACCESS_MAX);
  for (uint32_t i = 0; i < n; i++) {
    if (list[i].kind & OP_OBJECT) {
      add(out, object_access(e, &list[i]), list[i].address, 1);
      continue;
    }
    uint32_t flags = (list[i].kind & OP_READS ? ACCESS_READ : 0) |
                     (list[i].kind & OP_WRITES ? ACCESS_WRITE : 0) |
                     (list[i].kind & OP_ATOMIC ? ACCESS_ATOMIC : 0);
    add(out, flags, list[i].address, list[i].size);
  }
  if (e->op == OP_CALL) add_call(p, id, out);
}

static void visit_behind(Proof *p, const Access *a, Targets outer, TargetVisitor *visit,
                         void *data) {
  assert(a->behind > 0);
  AObjectVec behind = {0};
  pointsto_behind(p->pt, outer, a->behind, &behind);
  for (uint32_t i = 0; i < behind.len; i++)
    visit(p, a, behind.data[i], OFFSET_ANY, NULL, data);
  vec_free(&behind);
}

static void visit_kept(Proof *p, const Access *a, TargetVisitor *visit, void *data) {
  Targets t = pointsto_kept(p->pt, a->kept);
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function) visit(p, a, t.targets[i].object, OFFSET_ANY, NULL, data);
  if (t.unknown) visit(p, a, AOBJECT_UNKNOWN, OFFSET_ANY, NULL, data);
}

void visit_targets(Proof *p, World *w, const Access *a, TargetVisitor *visit,
                   void *data) {
  assert(!a->kept || !a->address);
  assert(!a->behind || a->address);
  if (a->kept) {
    visit_kept(p, a, visit, data);
    return;
  }
  if (!a->address) {
    visit(p, a, a->object, OFFSET_ANY, NULL, data);
    return;
  }
  Targets t = pointsto_expr(p->pt, a->address);
  if (a->behind) {
    visit_behind(p, a, t, visit, data);
    return;
  }
  Val v = eval(p, w, a->address);
  ObjectId only = v.known && v.base && !(v.base & 1) ? v.base >> 1 : 0;
  bool met = false;
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    met = met || t.targets[i].object == only;
    if (only && t.targets[i].object != only)
      continue; /* the address is known to be in another object */
    visit(p, a, t.targets[i].object, t.targets[i].offset, &v, data);
  }
  if (only && !met) visit(p, a, only, OFFSET_ANY, &v, data);
  bool number = v.known && !v.base && (uint64_t)v.offset >= 4096;
  if ((t.unknown || (number && !t.count)) && !only)
    visit(p, a, AOBJECT_UNKNOWN, OFFSET_ANY, &v, data);
}
