/* See facts.h. */
#include "engine/facts.h"

#include "analysis/single.h"

#include "engine/cleanup.h"

#include "model/op_access.h"

#include <assert.h>

static void place_statics(Facts *f) {
  const Program *p = f->program;
  f->static_instance =
      arena_alloc_zero(f->arena, p->objects.len * sizeof *f->static_instance);
  f->static_object = arena_alloc_zero(f->arena, p->objects.len * sizeof(ObjectId));
  for (ObjectId o = 1; o < p->objects.len; o++) {
    uint8_t kind = p->objects.data[o].kind;
    if (kind != OBJECT_GLOBAL && kind != OBJECT_LIBRARY) continue;
    f->static_object[f->static_count++] = o;
    f->static_instance[o] = f->static_count;
  }
}

static bool is_weak(const Edge *e) {
  if (!op_has(e->op, OP_ORDERED) || e->op == OP_FENCE) return false;
  if (e->op == OP_CMPXCHG && e->order_fail != ORDER_SEQ_CST) return true;
  return e->order != ORDER_NONE && e->order != ORDER_SEQ_CST;
}

/* Atomic accesses that do not order what was done before them (writes) or comes after them
 * (reads). */
static bool reads_relaxed(const Edge *e) {
  if (e->order == ORDER_NONE || !op_has(e->op, OP_VALUE)) return false;
  return !order_acquires(e->order) ||
         (e->op == OP_CMPXCHG && !order_acquires(e->order_fail));
}

static bool writes_relaxed(const Edge *e) {
  return e->order != ORDER_NONE && op_may_write((OpKind)e->op) &&
         !order_releases(e->order);
}

static void note_relaxed_write(Facts *f, const Edge *e) {
  Targets t = pointsto_expr(f->pointsto, e->a);
  if (t.unknown) memset(f->relaxed_writes, 1, f->program->objects.len);
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    AObject object = t.targets[i].object;
    AObjectKind kind = pointsto_object_kind(f->pointsto, object);
    if (kind == AOBJECT_PROGRAM || kind == AOBJECT_CONTEXT)
      f->relaxed_writes[pointsto_object(f->pointsto, object)] = 1;
  }
}

static bool looks_at_others(const Edge *e) {
  return (e->op == OP_LOCK || e->op == OP_JOIN) && e->attempt != ATTEMPT_BLOCK;
}

static void note_sync(Facts *f, ExprId address) {
  Targets t = pointsto_expr(f->pointsto, address);
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    if (pointsto_object_kind(f->pointsto, t.targets[i].object) != AOBJECT_PROGRAM)
      continue;
    ObjectId object = pointsto_object(f->pointsto, t.targets[i].object);
    uint32_t instance = f->static_instance[object];
    if (instance && f->program->objects.data[object].kind == OBJECT_GLOBAL)
      vec_push(&f->sync_places, (SyncPlace){instance - 1, t.targets[i].offset});
  }
}

bool facts_is_sync(const Facts *facts, uint32_t instance, uint64_t from, uint64_t to) {
  enum { BYTES = 4 }; /* the first ones of each kind say most of what it is */
  for (uint32_t i = 0; i < facts->sync_places.len; i++) {
    const SyncPlace *x = &facts->sync_places.data[i];
    bool meets =
        x->offset == OFFSET_ANY || (from < (uint64_t)x->offset + BYTES && x->offset < to);
    if (x->instance == instance && meets) return true;
  }
  return false;
}

static void survey(Facts *f) {
  const Program *p = f->program;
  for (FuncId id = 1; id < p->functions.len; id++) {
    const Function *function = &p->functions.data[id];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(f->pointsto, id))
      continue;
    for (uint32_t i = 0; i < function->edge_count; i++) {
      const Edge *e = program_edge(p, function->first_edge + i);
      f->weak_atomics = f->weak_atomics || is_weak(e);
      f->has_try = f->has_try || looks_at_others(e);
      f->relaxed = f->relaxed || reads_relaxed(e) || writes_relaxed(e);
      f->ordered_fences =
          f->ordered_fences || (e->op == OP_FENCE && e->order == ORDER_SEQ_CST);
      f->cancels = f->cancels || e->op == OP_CANCEL;
      if (writes_relaxed(e)) note_relaxed_write(f, e);
      if (e->op >= OP_LOCK_INIT && e->op <= OP_ACQUIRE) note_sync(f, e->a);
    }
  }
}

/* Where nothing returns a second time. */
static void note_single(Facts *f) {
  const Program *p = f->program;
  for (FuncId id = 1; id < p->functions.len; id++)
    if ((p->functions.data[id].flags & FUNCTION_RETURNS_TWICE) &&
        pointsto_is_reachable(f->pointsto, id))
      return;
  for (ObjectId o = 1; o < p->objects.len; o++) {
    const Object *x = &p->objects.data[o];
    f->single[o] =
        x->kind == OBJECT_HEAP && x->site && single_edge(p, f->pointsto, x->site);
  }
}

Facts *facts_new(const Program *program, const PointsTo *pointsto, const uint8_t *watched,
                 const uint8_t *havocked) {
  Arena *arena = arena_new();
  Facts *f = arena_alloc_zero(arena, sizeof *f);
  f->program = program;
  f->pointsto = pointsto;
  f->arena = arena;
  f->watched = arena_alloc(arena, program->objects.len + 1);
  if (watched)
    memcpy(f->watched, watched, program->objects.len);
  else
    memset(f->watched, 1, program->objects.len);
  f->havocked = havocked;
  for (ObjectId o = 1; o < program->objects.len; o++)
    if (facts_is_havocked(f, o)) f->watched[o] = 0;
  f->relaxed_writes = arena_alloc_zero(arena, program->objects.len + 1);
  f->single = arena_alloc_zero(arena, program->objects.len + 1);
  note_single(f);
  f->liveness = liveness_new(program);
  f->cleanups = arena_alloc_zero(arena, program->functions.len + 1);
  for (FuncId id = 1; id < program->functions.len; id++) {
    f->cleanups[id] = (uint8_t)cleanup_kind(program, id);
    f->changes_cancels =
        f->changes_cancels || (pointsto_is_reachable(pointsto, id) &&
                               cleanup_changes_cancellation(program, id));
  }
  place_statics(f);
  survey(f);
  return f;
}

void facts_free(Facts *facts) {
  if (!facts) return;
  vec_free(&facts->sync_places);
  liveness_free(facts->liveness);
  arena_free(facts->arena);
}

/* ---- initial values ---- */

/* object + constant, function + 0: what relocations are. */
static AbsValue address_of(const Facts *facts, ExprId id) {
  const Program *p = facts->program;
  uint64_t offset = 0;
  for (int depth = 0; depth < 16; depth++) {
    const Expr *e = program_expr(p, id);
    if (e->kind == EXPR_BITCAST) {
      id = e->a;
    } else if (e->kind == EXPR_PTRADD && program_expr(p, e->b)->kind == EXPR_CONST) {
      offset += program_expr(p, e->b)->value;
      id = e->a;
    } else if (e->kind == EXPR_OBJECT && facts->static_instance[e->data]) {
      return abs_make(ABS_INSTANCE, facts->static_instance[e->data] - 1, offset);
    } else if (e->kind == EXPR_FUNC && !offset) {
      return abs_make(ABS_FUNCTION, (uint32_t)e->data, 0);
    } else {
      break;
    }
  }
  return abs_top();
}

AbsValue facts_initial(const Facts *facts, ObjectId object, uint64_t offset,
                       uint32_t size) {
  assert(size <= 8);
  const Program *p = facts->program;
  const Object *o = vec_at(&p->objects, object);
  for (uint32_t i = 0; i < o->reloc_count; i++) {
    const Reloc *r = vec_at(&p->relocs, o->first_reloc + i);
    if (r->offset >= offset + size || r->offset + r->size <= offset) continue;
    bool whole = r->offset == offset && r->size == size && size == 8;
    return whole ? address_of(facts, r->target) : abs_top();
  }
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; i++)
    if (offset + i < o->init_size)
      value |= (uint64_t)*vec_at(&p->bytes, o->init + offset + i) << (8 * i);
  return abs_number(value);
}
