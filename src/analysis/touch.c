/* See touch.h. */
#include "analysis/touch.h"

#include "model/op_access.h"

#include <assert.h>
#include <string.h>

typedef struct {
  const Program *p;
  const PointsTo *pt;
  TouchVisit *visit;
  void *user;
} Toucher;

uint32_t touch_key_count(const Program *p, const PointsTo *pt) {
  return p->objects.len + pointsto_object_count(pt);
}

uint32_t touch_key(const Program *p, const PointsTo *pt, AObject object) {
  ObjectId own = pointsto_object(pt, object);
  if (own || object == AOBJECT_UNKNOWN) return own;
  return p->objects.len + object;
}

/* Any part of an object. */
static void touch_whole(const Toucher *t, uint32_t key, unsigned kind) {
  assert(key < touch_key_count(t->p, t->pt));
  t->visit(t->user, &(Touch){.key = key, .kind = kind, .offset = OFFSET_ANY});
}

static void touch_targets(const Toucher *t, Targets targets, unsigned kind,
                          uint32_t size) {
  if (targets.unknown) touch_whole(t, 0, kind);
  for (uint32_t i = 0; i < targets.count; i++) {
    const Target *to = &targets.targets[i];
    if (to->function) continue;
    Touch touch = {touch_key(t->p, t->pt, to->object), kind, to->offset, size};
    if (!size) touch.offset = OFFSET_ANY;
    t->visit(t->user, &touch);
  }
}

/* What a pointer designates, and what is behind it in some steps. */
static void touch_value(const Toucher *t, ExprId value, unsigned kind, int steps) {
  Targets targets = pointsto_expr(t->pt, value);
  touch_targets(t, targets, kind, 0);
  AObjectVec behind = {0};
  pointsto_behind(t->pt, targets, steps, &behind);
  for (uint32_t i = 0; i < behind.len; i++)
    touch_whole(t, touch_key(t->p, t->pt, behind.data[i]), kind);
  vec_free(&behind);
}

/* ---- library functions ---- */

static void touch_hidden(const Toucher *t, const Effect *effect, unsigned kind) {
  if (effect->flags & EFFECT_VARIABLE && effect->size) {
    touch_whole(t, effect->size, kind);
    return;
  }
  const char *name = sym_text(t->p, effect->name);
  for (ObjectId o = 1; o < t->p->objects.len; o++)
    if (t->p->objects.data[o].kind == OBJECT_LIBRARY &&
        !strcmp(sym_text(t->p, t->p->objects.data[o].name), name))
      touch_whole(t, o, kind);
}

static void touch_argument(const Toucher *t, const Edge *e, const Function *f,
                           uint8_t arg, unsigned kind, int steps) {
  uint32_t from = arg, to = arg + 1u;
  if (arg == ARG_NONE || arg == ARG_RETURN) return;
  if (arg == ARG_KEPT) {
    touch_whole(t, 0, kind);
    return;
  }
  if (arg == ARG_VARARGS) {
    from = f->param_count;
    to = e->arg_count;
  }
  for (uint32_t i = from; i < to && i < e->arg_count; i++)
    touch_value(t, vec_at(&t->p->args, e->first_arg + i)->value, kind, steps);
}

static void touch_effect(const Toucher *t, const Edge *e, const Function *f,
                         const Effect *effect) {
  bool content = effect->flags & EFFECT_CONTENT;
  int steps = content ? EFFECT_DEEP_STEPS : 0;
  switch ((EffectKind)effect->kind) {
  case EFFECT_READ: touch_argument(t, e, f, effect->arg, TOUCH_READ, steps); break;
  case EFFECT_WRITE: touch_argument(t, e, f, effect->arg, TOUCH_WRITE, steps); break;
  case EFFECT_FREE:
    touch_argument(t, e, f, effect->arg, TOUCH_WRITE | TOUCH_END, steps);
    break;
  case EFFECT_ALLOC:
    touch_argument(t, e, f, effect->arg, TOUCH_WRITE, 0);
    touch_argument(t, e, f, effect->other, TOUCH_READ, 0);
    if (e->aux) touch_whole(t, e->aux, TOUCH_WRITE | TOUCH_NEW);
    break;
  case EFFECT_STORE:
    touch_argument(t, e, f, effect->arg, TOUCH_WRITE, 0);
    if (content) touch_argument(t, e, f, effect->other, TOUCH_READ, 0);
    break;
  case EFFECT_RETURN_ARG:
    if (content) touch_argument(t, e, f, effect->arg, TOUCH_READ, 0);
    break;
  case EFFECT_HIDDEN_READ: touch_hidden(t, effect, TOUCH_READ); break;
  case EFFECT_HIDDEN_WRITE: touch_hidden(t, effect, TOUCH_WRITE); break;
  case EFFECT_NONE:
  case EFFECT_KEEP:
  case EFFECT_CALL:
  case EFFECT_CALL_LATER:
  case EFFECT_RETURN_HIDDEN:
  case EFFECT_RETURN_KEPT:
  case EFFECT_KIND_COUNT: break;
  }
}

/* An argument that travels as a copy of what it points to is read, and the callee's own object
 * for it is written. */
static void touch_copies(const Toucher *t, const Edge *e, const Function *f) {
  for (uint32_t i = 0; i < e->arg_count; i++) {
    const Arg *arg = vec_at(&t->p->args, e->first_arg + i);
    if (arg->passing.byval_size) touch_value(t, arg->value, TOUCH_READ, 0);
  }
  for (uint32_t i = 0; i < f->object_count; i++) {
    ObjectId o = *vec_at(&t->p->frame_objects, f->first_object + i);
    if (t->p->objects.data[o].flags & OBJECT_PARAM) touch_whole(t, o, TOUCH_WRITE);
  }
}

static void touch_call(const Toucher *t, EdgeId edge, const Edge *e) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(t->pt, edge, &callees);
  if (pointsto_calls_unknown(t->pt, edge)) touch_whole(t, 0, TOUCH_READ | TOUCH_WRITE);
  for (uint32_t i = 0; i < n; i++) {
    const Function *f = vec_at(&t->p->functions, callees[i]);
    if (f->flags & FUNCTION_DEFINED) {
      touch_copies(t, e, f);
      continue;
    }
    if (f->flags & FUNCTION_UNKNOWN)
      for (uint32_t k = 0; k < e->arg_count; k++)
        touch_value(t, vec_at(&t->p->args, e->first_arg + k)->value,
                    TOUCH_READ | TOUCH_WRITE, EFFECT_ALL_STEPS);
    for (uint32_t k = 0; k < f->effect_count; k++)
      touch_effect(t, e, f, vec_at(&t->p->effects, f->first_effect + k));
  }
}

void touch_visit(const Program *p, const PointsTo *pt, EdgeId edge, TouchVisit *visit,
                 void *user) {
  Toucher t = {p, pt, visit, user};
  const Edge *e = program_edge(p, edge);
  OpAccess accesses[OP_ACCESS_MAX];
  uint32_t n = op_accesses(p, e, accesses);
  for (uint32_t i = 0; i < n; i++) {
    unsigned kind = (accesses[i].kind & OP_READS ? TOUCH_READ : 0u) |
                    (accesses[i].kind & OP_WRITES ? TOUCH_WRITE : 0u);
    if (accesses[i].kind & OP_OBJECT) kind |= TOUCH_SYNC;
    touch_targets(&t, pointsto_expr(pt, accesses[i].address), kind, accesses[i].size);
  }
  if (e->op == OP_CALL) touch_call(&t, edge, e);
  if (e->op == OP_ALLOCA && e->aux) touch_whole(&t, e->aux, TOUCH_WRITE | TOUCH_NEW);
}

static bool lingers(const Program *p, const Function *f) {
  if (f->flags & (FUNCTION_UNKNOWN | FUNCTION_NORETURN | FUNCTION_RETURNS_TWICE))
    return true;
  for (uint32_t k = 0; k < f->effect_count; k++) {
    const Effect *effect = vec_at(&p->effects, f->first_effect + k);
    bool touches = effect->kind == EFFECT_READ || effect->kind == EFFECT_WRITE;
    if (effect->kind == EFFECT_CALL || effect->kind == EFFECT_CALL_LATER ||
        effect->kind == EFFECT_KEEP || (touches && (effect->flags & EFFECT_LATER)))
      return true;
  }
  return false;
}

bool touch_call_lingers(const Program *p, const PointsTo *pt, EdgeId edge) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(pt, edge, &callees);
  if (pointsto_calls_unknown(pt, edge)) return true;
  for (uint32_t i = 0; i < n; i++) {
    const Function *f = vec_at(&p->functions, callees[i]);
    if (!(f->flags & FUNCTION_DEFINED) && lingers(p, f)) return true;
  }
  return false;
}
