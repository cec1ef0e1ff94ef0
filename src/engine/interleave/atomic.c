/* Atomic accesses: values, and what their memory orders hand over.
 *
 * A release store replaces what its location carries, a relaxed one clears it; a
 * read-modify-write keeps it (the release sequence goes on) and adds what its thread
 * knows if it releases. An acquiring read learns what the location carries.
 *
 * This interleaves; that covers every C11 execution if all orders are sequentially
 * consistent, or if there is one atomic location only (coherence makes it behave as if
 * interleaved). Other programs are left to weak.c, and given up where deadlocks are looked
 * for. */
#include "engine/interleave/machine.h"
#include "model/exec/value.h"

/* A location that a run has once has the same name in all states. Any other may be many. */
void il_atomic_note(Machine *m, uint32_t instance, uint32_t offset) {
  const Facts *f = m->facts;
  bool gone = offset == MARK_GONE;
  ObjectId object = gone ? 0 : m->s.instances.data[instance].object;
  bool is_static = !gone && instance < f->static_count;
  bool fixed = is_static || (object && f->single[object]);
  uint64_t name = is_static ? instance : (uint64_t)f->static_count + object;
  uint64_t key = name << 32 | offset;
  for (uint32_t i = 0; i < m->atomics.len && fixed; i++)
    if (m->atomics.data[i] == key) return;
  for (int i = 0; i < (fixed ? 1 : 2) && m->atomics.len < 2; i++)
    vec_push(&m->atomics, key);
}

/* Notes the location; false after giving up. */
static bool note_location(Machine *m, const Edge *e, MemPlace place) {
  il_atomic_note(m, place.instance, place.offset);
  m->weak_seen = m->weak_seen || e->order != ORDER_SEQ_CST ||
                 (e->op == OP_CMPXCHG && e->order_fail != ORDER_SEQ_CST);
  if (!m->weak_seen || m->atomics.len < 2) return true;
  m->several = true;
  il_give_up(m, "atomic accesses to several locations are weaker than sequentially "
                "consistent");
  return false;
}

static ExprKind arithmetic_kind(RmwKind kind) {
  switch (kind) {
  case RMW_ADD: return EXPR_ADD;
  case RMW_SUB: return EXPR_SUB;
  case RMW_AND: return EXPR_AND;
  case RMW_OR: return EXPR_OR;
  case RMW_XOR: return EXPR_XOR;
  default: return EXPR_NONE;
  }
}

AbsValue il_atomic_combine(Machine *m, const Edge *e, AbsValue old, AbsValue value) {
  const Expr *shape = program_expr(m->p, e->b);
  RmwKind kind = (RmwKind)e->aux;
  if (kind == RMW_XCHG) return value;
  ValueOp op = {.kind = (uint8_t)arithmetic_kind(kind),
                .sort = shape->sort,
                .a_sort = shape->sort,
                .bits = shape->bits,
                .a_bits = shape->bits};
  uint64_t result;
  bool known = abs_is_number(old) && abs_is_number(value) && shape->bits <= 64 &&
               op.kind != EXPR_NONE &&
               value_apply(&op, &result, &old.num, &value.num, NULL) == VALUE_OK;
  if (known) return abs_number(result & value_mask(shape->bits));
  m->s.lost = m->s.lost || abs_is_address(old) || abs_is_address(value);
  return abs_top();
}

static Outcome compare_exchange(Machine *m, const Edge *e, uint32_t sync) {
  AbsValue old = il_memory_read(m, e->size);
  int same = il_equal(m, old, il_eval(m, e->b));
  bool open = same < 0 || (same == 1 && (e->flags & EDGE_WEAK));
  int choice = same == 1 && open ? machine_choose_freely(m, 2)
               : open            ? machine_choose(m, 2)
                                 : 0;
  if (choice < 0) return OUTCOME_PAUSE;
  bool stores = open ? choice == 0 : same == 1;
  uint8_t order = stores ? e->order : e->order_fail;
  Outcome out =
      il_memory_access(m, e->size, ACCESS_ATOMIC | (stores ? ACCESS_WRITE : ACCESS_READ));
  if (out != OUTCOME_NEXT) return out;
  AbsValue desired = il_eval(m, e->c);
  if (order_acquires(order)) il_happens_acquire(&m->s, m->t, sync);
  if (stores) {
    il_memory_write(m, e->size, desired);
    if (order_releases(order)) il_happens_release(&m->s, m->t, sync, true);
  }
  il_local_set(m, e->dst, old);
  il_local_set(m, e->dst2, abs_number(stores));
  return OUTCOME_NEXT;
}

static Outcome perform(Machine *m, const Edge *e, uint32_t sync) {
  AbsValue value = e->op == OP_LOAD ? abs_top() : il_eval(m, e->b);
  uint32_t kind = ACCESS_ATOMIC | (e->op == OP_LOAD ? ACCESS_READ : ACCESS_WRITE);
  Outcome out = il_memory_access(m, e->size, kind);
  if (out != OUTCOME_NEXT) return out;
  if (e->op == OP_STORE) {
    il_memory_write(m, e->size, value);
    if (order_releases(e->order))
      il_happens_release(&m->s, m->t, sync, false);
    else
      il_happens_clear(&m->s, sync);
    return OUTCOME_NEXT;
  }
  AbsValue old = il_memory_read(m, e->size);
  if (order_acquires(e->order)) il_happens_acquire(&m->s, m->t, sync);
  if (e->op == OP_RMW) {
    il_memory_write(m, e->size, il_atomic_combine(m, e, old, value));
    if (order_releases(e->order)) il_happens_release(&m->s, m->t, sync, true);
  }
  il_local_set(m, e->dst, old);
  return OUTCOME_NEXT;
}

/* Carriers belong to whole locations: another one that shares some bytes only would keep
 * what has been overwritten. */
static bool overlaps_another(Machine *m, uint32_t sync, uint32_t size) {
  Sync *own = &m->s.syncs.data[sync];
  if (own->count < size) own->count = size;
  for (uint32_t i = 0; i < m->s.syncs.len; i++) {
    const Sync *y = &m->s.syncs.data[i];
    if (i != sync && y->kind == SYNC_ATOMIC && y->instance == own->instance &&
        y->offset < own->offset + own->count && own->offset < y->offset + y->count)
      return true;
  }
  return false;
}

Outcome il_atomic_step(Machine *m, const Edge *e) {
  AbsValue address = il_eval(m, e->a);
  Outcome out = il_split(m, e->a, &address);
  if (out != OUTCOME_NEXT) return out;
  out = il_memory_resolve(m, address, e->a);
  if (out != OUTCOME_NEXT) return out;
  if (m->places.len != 1 || m->places.data[0].within)
    return il_give_up(m, "the place of an atomic access is not known");
  MemPlace place = m->places.data[0];
  if (facts_is_havocked(m->facts, m->s.instances.data[place.instance].object))
    return il_give_up(m, "an atomic object races");
  if (machine_is_weak(m)) {
    out = il_weak_step(m, e, place);
    if (out == OUTCOME_NEXT) il_frame_top(m)->node = e->to;
    return out;
  }
  if (!note_location(m, e, place)) return OUTCOME_GIVE_UP;
  int sync = il_sync_at(m, place.instance, place.offset, SYNC_ATOMIC);
  if (sync < 0) return OUTCOME_GIVE_UP;
  if (overlaps_another(m, (uint32_t)sync, e->size))
    return il_give_up(m, "atomic accesses overlap in part");
  out = e->op == OP_CMPXCHG ? compare_exchange(m, e, (uint32_t)sync)
                            : perform(m, e, (uint32_t)sync);
  if (out == OUTCOME_NEXT) il_frame_top(m)->node = e->to;
  return out;
}
