/* Memory in the translation: owned memory is part of the local state, followed variables
 * are places of the net, and nothing is known about the rest. */
#include "engine/petri/translate.h"

#include "model/exec/value.h"
#include "model/op_access.h"

/* ---- where ---- */

static StepResult find_by_analysis(Translation *t, ExprId expr, bool *ret_exact) {
  const PointsTo *pt = t->w->pointsto;
  Targets found = pointsto_expr(pt, expr);
  if (found.unknown) return translate_fail(t, "an address of unknown origin is used");
  uint32_t before = t->spots.len, other = 0, offset = 0;
  for (uint32_t i = 0; i < found.count; i++) {
    const Target *x = &found.targets[i];
    ObjectId object = x->function ? 0 : pointsto_object(pt, x->object);
    if (!object) {
      other++;
      continue;
    }
    offset = x->offset;
    if (t->spots.len == before || vec_last(&t->spots)->object != object)
      vec_push(&t->spots, (Spot){object, 0, true});
  }
  if (!found.count) return translate_fail(t, "an address is used that points nowhere");
  if (found.count != 1 || other) return STEP_ON;
  Spot *only = vec_last(&t->spots);
  const Object *o = vec_at(&t->p->objects, only->object);
  if (t->w->single[only->object] && o->kind != OBJECT_HEAP &&
      pn_world_is_plain(t->w, only->object, offset)) {
    only->offset = offset;
    only->any = false;
    *ret_exact = true;
  }
  return STEP_ON;
}

StepResult pn_memory_find(Translation *t, AbsValue value, ExprId expr, bool *ret_exact) {
  *ret_exact = false;
  if (abs_is_number(value) && value.num < NULL_PAGE) return STEP_PRUNED;
  if (!abs_is_address(value)) return find_by_analysis(t, expr, ret_exact);
  bool any = abs_tag(value) == ABS_WITHIN;
  vec_push(&t->spots, (Spot){abs_id(value), any ? 0 : value.num, any});
  *ret_exact = !any;
  return STEP_ON;
}

/* ---- writes ---- */

static StepResult add_write(Translation *t, LocalState *s, ExprId address, uint64_t size,
                            AbsValue value, bool fill) {
  Write x = {.first = t->spots.len, .size = size, .value = value, .fill = fill};
  AbsValue at = local_eval(t->w, s, address);
  StepResult out = pn_memory_find(t, at, address, &x.exact);
  if (out != STEP_ON) return out;
  x.count = t->spots.len - x.first;
  vec_push(&t->writes, x);
  return STEP_ON;
}

static ExprId arg_expr(const Translation *t, const Edge *e, uint32_t arg) {
  return arg < e->arg_count ? vec_at(&t->p->args, e->first_arg + arg)->value : 0;
}

/* A write through an argument that may be NULL: then nothing is written. */
static StepResult write_argument(Translation *t, LocalState *s, ExprId address,
                                 uint64_t size) {
  if (!address) return STEP_ON;
  AbsValue at = local_eval(t->w, s, address);
  if (abs_is_number(at) && at.num == 0) return STEP_ON;
  Targets targets = pointsto_expr(t->w->pointsto, address);
  if (abs_is_top(at) && !targets.count && !targets.unknown) return STEP_ON;
  return add_write(t, s, address, size, abs_top(), false);
}

static StepResult library_write(Translation *t, LocalState *s, const Edge *e,
                                const Function *f, const Effect *x) {
  if (x->flags & EFFECT_CONTENT)
    return translate_fail(t, "%s follows pointers in memory", sym_text(t->p, f->name));
  if (x->arg == ARG_KEPT)
    return translate_fail(t, "%s writes what was kept", sym_text(t->p, f->name));
  if (x->arg != ARG_VARARGS)
    return write_argument(t, s, arg_expr(t, e, x->arg),
                          x->extent == EXTENT_BYTES ? x->size : 0);
  for (uint32_t i = f->param_count; i < e->arg_count; i++) {
    ExprId address = arg_expr(t, e, i);
    if (program_expr(t->p, address)->sort != SORT_PTR) continue;
    StepResult out = write_argument(t, s, address, 0);
    if (out != STEP_ON) return out;
  }
  return STEP_ON;
}

static StepResult library_writes(Translation *t, LocalState *s, const Edge *e,
                                 const Function *f) {
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&t->p->effects, f->first_effect + i);
    StepResult out = STEP_ON;
    bool later = (x->kind == EFFECT_READ || x->kind == EFFECT_WRITE) &&
                 (x->flags & EFFECT_LATER) && x->arg < e->arg_count;
    AbsValue at = later ? local_eval(t->w, s, arg_expr(t, e, x->arg)) : abs_number(0);
    if (!abs_is_number(at) || at.num)
      return translate_fail(t, "%s uses memory later", sym_text(t->p, f->name));
    switch ((EffectKind)x->kind) {
    case EFFECT_WRITE: out = library_write(t, s, e, f, x); break;
    case EFFECT_FREE:
    case EFFECT_STORE: out = write_argument(t, s, arg_expr(t, e, x->arg), 0); break;
    case EFFECT_ALLOC:
      if (x->arg != ARG_NONE) out = write_argument(t, s, arg_expr(t, e, x->arg), 8);
      break;
    default: break;
    }
    if (out != STEP_ON) return out;
  }
  return STEP_ON;
}

/* A library function called by name or through a pointer; NULL: it has a body. */
static const Function *library_callee(const Translation *t, const Edge *e) {
  const Expr *callee = program_expr(t->p, e->a);
  if (callee->kind != EXPR_FUNC) return NULL;
  const Function *f = vec_at(&t->p->functions, (FuncId)callee->data);
  return f->flags & FUNCTION_DEFINED ? NULL : f;
}

static uint64_t known_size(AbsValue v) {
  return abs_is_number(v) && v.num < UINT32_MAX ? v.num : 0;
}

/* One write of the edge itself. Only STORE and FILL say what is written; the rest is for
 * the caller (ids of threads), or not followed. */
static StepResult add_access(Translation *t, LocalState *s, const Edge *e,
                             const OpAccess *x) {
  bool fill = e->op == OP_FILL;
  AbsValue value = fill || e->op == OP_STORE ? local_eval(t->w, s, e->b) : abs_top();
  uint64_t size = x->size;
  if (x->count) {
    AbsValue bytes = local_eval(t->w, s, x->count);
    if (abs_is_number(bytes) && !bytes.num) return STEP_ON;
    size = known_size(bytes);
  }
  if (op_has(e->op, OP_RESULT) && e->op != OP_CREATE)
    return write_argument(t, s, x->address, size);
  return add_write(t, s, x->address, size, value, fill);
}

StepResult pn_memory_collect_writes(Translation *t, LocalState *s, const Edge *e) {
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = op_accesses(t->p, e, list);
  vec_clear(&t->spots);
  vec_clear(&t->writes);
  for (uint32_t i = 0; i < n; i++) {
    if (!(list[i].kind & OP_WRITES) || (list[i].kind & OP_OBJECT)) continue;
    StepResult out = add_access(t, s, e, &list[i]);
    if (out != STEP_ON) return out;
  }
  const Function *f = e->op == OP_CALL ? library_callee(t, e) : NULL;
  return f ? library_writes(t, s, e, f) : STEP_ON;
}

/* What the variable holds after the write; false: the write does not touch it. */
static bool value_after(const Translation *t, const Write *x, const WorldVar *v,
                        AbsValue *ret_value) {
  bool meets = false;
  for (uint32_t i = 0; i < x->count; i++) {
    const Spot *spot = &t->spots.data[x->first + i];
    if (spot->object != v->object) continue;
    meets = meets || spot->any || !x->size ||
            (spot->offset < (uint64_t)v->offset + v->size &&
             v->offset < spot->offset + x->size);
  }
  if (!meets) return false;
  *ret_value = abs_top();
  if (!x->exact || !x->size) return true;
  const Spot *at = &t->spots.data[x->first];
  if (x->fill) {
    bool covers =
        at->offset <= v->offset && at->offset + x->size >= (uint64_t)v->offset + v->size;
    if (covers && abs_is_number(x->value))
      *ret_value = abs_number((x->value.num & 0xff) * UINT64_C(0x0101010101010101) &
                              value_mask(8 * v->size));
  } else if (at->offset == v->offset && x->size == v->size) {
    *ret_value = x->value;
  }
  return true;
}

bool pn_memory_after(const Translation *t, uint32_t write, uint32_t variable,
                     AbsValue *ret_value) {
  return value_after(t, &t->writes.data[write], &t->w->vars.data[variable], ret_value);
}

bool pn_memory_update(Translation *t, LocalState *s, uint32_t n, uint32_t *ret_variable,
                      AbsValue *ret_value) {
  for (uint32_t i = 0; i < t->writes.len; i++)
    for (uint32_t v = 0; v < t->var_count; v++) { /* others begin with the next attempt */
      if (!pn_memory_after(t, i, v, ret_value) || guarded_is_known(t, s, v)) continue;
      *ret_variable = v;
      if (n-- == 0) return true;
    }
  return false;
}

uint32_t pn_memory_count_updates(Translation *t, LocalState *s) {
  uint32_t n = 0, variable;
  AbsValue value;
  while (pn_memory_update(t, s, n, &variable, &value)) n++;
  return n;
}

static bool is_owned_here(const Translation *t, const LocalState *s, ObjectId object) {
  return t->w->owned[object] == OWNED_FRAME ||
         (t->w->owned[object] == OWNED_MAIN && s->template == 0);
}

void pn_memory_apply_owned(Translation *t, LocalState *s) {
  for (uint32_t i = 0; i < t->writes.len; i++) {
    const Write *x = &t->writes.data[i];
    for (uint32_t k = 0; k < x->count; k++) {
      const Spot *spot = &t->spots.data[x->first + k];
      if (!is_owned_here(t, s, spot->object)) continue;
      if (x->exact && x->size && !(x->fill && !abs_is_number(x->value)))
        local_write(t->w, s, spot->object, spot->offset, x->size, x->value, x->fill);
      else
        local_lose(t->w, s, spot->object);
    }
  }
  guarded_apply(t, s);
}

/* ---- loads ---- */

/* A variable that a later attempt should follow. */
static void propose(Translation *t, const Edge *e, const Spot *at) {
  World *w = t->w;
  if (!t->limits.variables || e->size > 8 || w->unordered[at->object] ||
      at->offset > UINT32_MAX)
    return;
  if (e->dst && !w->tested[e->dst]) return;
  for (uint32_t i = 0; i < w->vars.len; i++) {
    const WorldVar *v = &w->vars.data[i];
    if (v->object == at->object && v->offset < at->offset + e->size &&
        at->offset < (uint64_t)v->offset + v->size)
      return; /* known, or overlapping another */
  }
  if (w->vars.len >= t->limits.variables) return;
  WorldVar fresh = {
      .object = at->object, .offset = (uint32_t)at->offset, .size = e->size};
  vec_push(&w->vars, fresh);
  w->has_var[at->object] = 1;
  t->restart = true;
}

StepResult pn_memory_load(Translation *t, LocalState *s, const Edge *e, int *ret_variable,
                          AbsValue *ret_value) {
  *ret_variable = -1;
  *ret_value = abs_top();
  bool exact;
  vec_clear(&t->spots);
  StepResult out = pn_memory_find(t, local_eval(t->w, s, e->a), e->a, &exact);
  if (out != STEP_ON || !exact) return out;
  const Spot *at = &t->spots.data[0];
  if (is_owned_here(t, s, at->object)) {
    *ret_value = local_read(t->w, s, at->object, at->offset, e->size);
    return STEP_ON;
  }
  const uint8_t *racy = t->w->question->racy;
  if (!t->w->single[at->object] || (racy && racy[at->object])) return STEP_ON;
  *ret_variable = pn_world_find_var(t->w, at->object, at->offset, e->size);
  if (*ret_variable < 0) propose(t, e, at);
  if (*ret_variable >= (int)t->var_count) *ret_variable = -1;
  if (*ret_variable < 0) return STEP_ON;
  uint32_t variable = (uint32_t)*ret_variable;
  guarded_note_read(t, s, variable);
  if (guarded_lock(t, variable) == SYNC_OBJECT_NONE) return STEP_ON;
  if (guarded_is_known(t, s, variable))
    *ret_value = guarded_value(t, s, variable);
  else if (t->w->alone[t->edge])
    return STEP_ON; /* asks the free lock */
  *ret_variable = -1;
  return STEP_ON;
}
