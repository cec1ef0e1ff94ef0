/* See sync.h: which objects an operation is about, and their ghosts in the state.
 *
 * A thread that nobody knows (where only races are looked for) is another one, was neither
 * joined nor detached, and may have ended or not: that covers all that the right one could do.
 * A request of cancellation must take effect where the thread sleeps; elsewhere it may also stay
 * for the next point, and whether a library function comes to one is often its own affair. */
#include "engine/interleave/sync.h"

#include "model/op_access.h"

enum { SEM_LIMIT = 1 << 20, ANY_THREAD = -1, NOT_FOLLOWED = -1 };

/* ---- objects ---- */

int il_sync_at(Machine *m, uint32_t instance, uint32_t offset, unsigned kind) {
  State *s = &m->s;
  for (uint32_t i = 0; i < s->syncs.len; i++) {
    const Sync *y = &s->syncs.data[i];
    if (y->instance == instance && y->offset == offset && y->kind == kind) return (int)i;
  }
  if (s->syncs.len == IL_MAX_SYNCS) {
    il_give_up(m, "there are more than %d objects of synchronisation", IL_MAX_SYNCS);
    return -1;
  }
  vec_push(&s->syncs,
           (Sync){.instance = instance, .offset = offset, .kind = (uint8_t)kind});
  return (int)s->syncs.len - 1;
}

/* What the bytes of an object say that nobody has used yet. */
static Outcome look_at_bytes(SyncOp *o, Sync *y, bool fresh) {
  Machine *m = o->m;
  if (op_has(o->e->op, OP_INITS) || op_has(o->e->op, OP_DESTROYS)) return OUTCOME_NEXT;
  if (y->kind == SYNC_SEM && fresh) {
    AbsValue v =
        il_memory_peek(m, y->instance, y->offset + SEM_VALUE_OFFSET, SEM_VALUE_BYTES);
    if (!abs_is_number(v)) return il_give_up(m, "the value of a semaphore is not known");
    y->count = (uint32_t)v.num;
  }
  if (y->kind == SYNC_ONCE && !y->count && !y->owner) {
    AbsValue v = il_memory_peek(m, y->instance, y->offset, ONCE_BYTES);
    if (!abs_is_number(v) || v.num)
      return il_give_up(m, "a once flag is not initialised as it should be");
  }
  return OUTCOME_NEXT;
}

static Outcome find_type(SyncOp *o, Sync *y, LockKind kind) {
  Machine *m = o->m;
  if (kind == LOCK_RECURSIVE) {
    y->type = MUTEX_RECURSIVE;
  } else if (kind == LOCK_MUTEX && !y->has_type && !y->owner &&
             !op_has(o->e->op, OP_INITS)) {
    uint32_t size = m->s.instances.data[y->instance].size;
    AbsValue v = abs_number(0);
    if (size == SIZE_UNKNOWN ||
        (uint64_t)y->offset + MUTEX_KIND_OFFSET + MUTEX_KIND_BYTES <= size)
      v = il_memory_peek(m, y->instance, y->offset + MUTEX_KIND_OFFSET, MUTEX_KIND_BYTES);
    if (!abs_is_number(v)) return il_give_up(m, "the type of a mutex is not known");
    y->type = (uint8_t)mutex_type_of_kind(v.num);
  }
  return OUTCOME_NEXT;
}

static Outcome find_object(SyncOp *o, ExprId address, SyncKind kind, LockKind lock,
                           int *ret_index) {
  Machine *m = o->m;
  AbsValue v = il_eval(m, address);
  Outcome out = il_split(m, address, &v);
  if (out != OUTCOME_NEXT) return out;
  if (abs_is_number(v) && v.num == 0) return OUTCOME_PRUNED;
  if (abs_tag(v) != ABS_INSTANCE || v.num >= SIZE_UNKNOWN)
    return il_give_up(m, "it is not known which object of synchronisation is used");
  if (m->s.instances.data[abs_id(v)].dead)
    return il_give_up(m,
                      "an object of synchronisation is used after the end of its life");
  if (facts_is_havocked(m->facts, m->s.instances.data[abs_id(v)].object))
    return il_give_up(m, "an object of synchronisation races");
  uint32_t before = m->s.syncs.len;
  *ret_index = il_sync_at(m, abs_id(v), (uint32_t)v.num, kind);
  if (*ret_index < 0) return OUTCOME_GIVE_UP;
  if (lock == LOCK_RW) {
    o->readers = il_sync_at(m, abs_id(v), (uint32_t)v.num, SYNC_USER);
    if (o->readers < 0) return OUTCOME_GIVE_UP;
  }
  Sync *y = &m->s.syncs.data[*ret_index];
  if (y->has_type == HAS_ENDED && !op_has(o->e->op, OP_INITS))
    return il_give_up(m, "an object of synchronisation is used that was destroyed");
  out = look_at_bytes(o, y, m->s.syncs.len != before);
  return out == OUTCOME_NEXT && kind == SYNC_LOCK ? find_type(o, y, lock) : out;
}

/* ---- operands ---- */

static Outcome find_thread(SyncOp *o) {
  Machine *m = o->m;
  if (o->e->op == OP_CANCEL_POINT) {
    o->guessed = il_is_cancelled(m) && !il_is_testcancel(m, o->e);
    return OUTCOME_NEXT;
  }
  if (o->e->op == OP_CANCEL && m->facts->changes_cancels)
    return il_give_up(m, "a thread is cancelled where threads change how");
  AbsValue id = il_eval(m, o->e->a);
  if (abs_tag(id) == ABS_THREAD) {
    o->thread = (int)abs_id(id);
    o->results = m->s.threads[o->thread].result;
    return OUTCOME_NEXT;
  }
  if (!abs_is_top(id) || m->options.deadlocks || o->e->op == OP_CANCEL)
    return il_give_up(m, "it is not known which thread is meant");
  o->guessed = o->e->op == OP_JOIN;
  o->results = abs_top();
  return OUTCOME_NEXT;
}

/* The kind of a mutex, which operand b is or points to. */
static Outcome find_kind(SyncOp *o) {
  Machine *m = o->m;
  const Edge *e = o->e;
  AbsValue kind = e->b ? il_eval(m, e->b) : abs_number(0);
  bool attribute = e->b && program_expr(m->p, e->b)->sort == SORT_PTR;
  if (attribute && !(abs_is_number(kind) && kind.num == 0)) {
    Outcome out = il_memory_load(m, e->b, OP_ATTRIBUTE_BYTES, ACCESS_READ, &kind);
    if (out != OUTCOME_NEXT) return out;
  }
  if (e->lock != LOCK_MUTEX) return OUTCOME_NEXT;
  if (!abs_is_number(kind)) {
    /* attributes that nothing is known of */
    int choice = machine_choose(m, program_may_be_robust(m->p) ? 6 : 3);
    if (choice < 0) return OUTCOME_PAUSE;
    kind = abs_number((uint64_t)choice % 3);
    o->robust = choice >= 3;
  }
  o->robust = o->robust || mutex_kind_is_robust(kind.num);
  o->operand = (int64_t)kind.num;
  return OUTCOME_NEXT;
}

static Outcome find_operand(SyncOp *o) {
  if (o->e->op == OP_LOCK_INIT) return find_kind(o);
  if (o->e->op != OP_BARRIER_INIT && o->e->op != OP_SEM_INIT) return OUTCOME_NEXT;
  AbsValue v = il_eval(o->m, o->e->b);
  if (!abs_is_number(v))
    return il_give_up(o->m, "it is not known with which value an object is initialised");
  o->operand = (uint32_t)v.num;
  return OUTCOME_NEXT;
}

Outcome il_ghosts_find(SyncOp *o) {
  const Edge *e = o->e;
  o->a = o->lock = o->section = o->readers = NOT_FOLLOWED;
  o->thread = ANY_THREAD;
  Outcome out = find_operand(o);
  SyncKind kind = op_sync_kind((OpKind)e->op);
  if (out != OUTCOME_NEXT) return out;
  if (kind == SYNC_THREAD) return find_thread(o);
  if (kind == SYNC_SECTION) {
    o->section = il_sync_at(o->m, 0, 0, SYNC_SECTION);
    return o->section < 0 ? OUTCOME_GIVE_UP : OUTCOME_NEXT;
  }
  if (e->op == OP_WAIT) out = find_object(o, e->b, SYNC_LOCK, LOCK_MUTEX, &o->lock);
  if (out != OUTCOME_NEXT || (kind == SYNC_COND && !o->m->options.deadlocks)) return out;
  return find_object(o, e->a, kind, kind == SYNC_LOCK ? (LockKind)e->lock : LOCK_NONE,
                     &o->a);
}

/* ---- reading ---- */

Sync *il_ghosts_object(const SyncOp *o, LowerWhose whose) {
  int index = whose == OF_LOCK ? o->lock : whose == OF_A ? o->a : -1;
  return index < 0 ? NULL : &o->m->s.syncs.data[index];
}

static int64_t get_of_thread(const SyncOp *o, Ghost ghost) {
  const AbsThread *t = o->thread < 0 ? NULL : &o->m->s.threads[o->thread];
  if (ghost == GHOST_KNOWN) return 1;
  if (ghost == GHOST_ENDED) return t ? t->status == THREAD_ENDED : LOWER_ANY;
  if (ghost == GHOST_DETACHED) return t && t->detached;
  return ghost == GHOST_JOINED && t && t->status == THREAD_GONE && !t->detached;
}

/* GHOST_CANCEL: nothing else of itself does a row ask for. */
static int64_t get_of_self(const SyncOp *o) {
  if (!il_is_cancelled(o->m)) return 0;
  /* a sleep at what is not followed may have ended */
  bool sleeps = o->m->s.threads[o->m->t].phase == PHASE_ASLEEP && o->a >= 0;
  bool must = sleeps || (o->e->op == OP_CANCEL_POINT && !o->guessed);
  return must ? 1 : LOWER_ANY;
}

static int64_t get(void *data, LowerWhose whose, Ghost ghost) {
  const SyncOp *o = data;
  const State *s = &o->m->s;
  if (whose == OF_THREAD) return get_of_thread(o, ghost);
  if (whose == OF_SELF) return get_of_self(o);
  if (whose == OF_SECTION)
    return ghost == GHOST_OWNER ? s->section_owner : s->threads[o->m->t].section;
  const Sync *y = il_ghosts_object(o, whose);
  if (!y) return 0; /* a condition that is not followed: nobody sleeps there */
  int64_t threads = __builtin_popcountll(y->readers);
  switch (ghost) {
  case GHOST_OWNER: return y->owner;
  case GHOST_READS: return y->readers >> o->m->t & 1;
  case GHOST_TYPE: return y->type;
  case GHOST_ROBUST: return y->rank;
  case GHOST_READERS:
  case GHOST_WAITERS: return threads;
  case GHOST_MISSING: return y->count - threads;
  case GHOST_COUNT:
  case GHOST_VALUE:
  case GHOST_SIZE:
  case GHOST_DONE: return y->count;
  case GHOST_KNOWN:
  case GHOST_ENDED:
  case GHOST_DETACHED:
  case GHOST_JOINED:
  case GHOST_CANCEL:
  case GHOST_ALL: break;
  }
  return 0;
}

static int64_t term(void *data, LowerTerm term) {
  const SyncOp *o = data;
  switch (term) {
  case TERM_SELF: return o->m->t + 1;
  case TERM_THREAD: return o->thread + 1;
  case TERM_OPERAND: return o->operand;
  case TERM_TYPE: return lock_type_of_init((LockKind)o->e->lock, (uint64_t)o->operand);
  case TERM_ROBUST: return o->robust ? ROBUST_WELL : ROBUST_NOT;
  case TERM_NUMBER:
  case TERM_SIZE: break;
  }
  return 0;
}

/* ---- changing ---- */

static void fail(SyncOp *o, const char *why) {
  il_give_up(o->m, "%s", why);
  o->failed = true;
}

static void reset(SyncOp *o, Sync *y) {
  if (y->owner || y->readers)
    fail(o, "an object of synchronisation is initialised or destroyed while it is used");
  y->count = y->rank = y->type = 0;
  y->has_type = op_has(o->e->op, OP_DESTROYS) ? HAS_ENDED : 0;
  il_happens_clear(&o->m->s, (uint32_t)o->a);
  if (o->readers >= 0) il_happens_clear(&o->m->s, (uint32_t)o->readers);
}

static void set_of_section(SyncOp *o, Ghost ghost, int64_t value) {
  AbsThread *t = &o->m->s.threads[o->m->t];
  if (value > UINT8_MAX) fail(o, "sections are nested too deeply");
  if (ghost == GHOST_OWNER)
    o->m->s.section_owner = (uint32_t)value;
  else
    t->section = (uint8_t)value;
}

static void set(void *data, LowerWhose whose, Ghost ghost, int64_t value) {
  SyncOp *o = data;
  uint64_t me = UINT64_C(1) << o->m->t;
  if (whose == OF_SECTION) set_of_section(o, ghost, value);
  if (whose == OF_THREAD && o->thread >= 0)
    il_thread_change(o->m, (uint32_t)o->thread, ghost);
  Sync *y = il_ghosts_object(o, whose);
  if (!y) return;
  switch (ghost) {
  case GHOST_ALL: reset(o, y); break;
  case GHOST_OWNER: y->owner = (uint8_t)value; break;
  case GHOST_READS:
    if (value > 1) fail(o, "a lock is taken again that is held for reading");
    y->readers = value ? y->readers | me : y->readers & ~me;
    break;
  case GHOST_TYPE:
    y->type = (uint8_t)value;
    y->has_type = HAS_TYPE;
    break;
  case GHOST_ROBUST: y->rank = (uint32_t)value; break;
  case GHOST_VALUE:
    if (value > SEM_LIMIT && o->e->op == OP_SEM_POST)
      fail(o, "a semaphore grows without bound");
    y->count = (uint32_t)value;
    break;
  case GHOST_COUNT:
  case GHOST_SIZE:
  case GHOST_DONE: y->count = (uint32_t)value; break;
  case GHOST_MISSING: /* a new round: it carries nothing of the old one */
    if (value == y->count) il_happens_clear(&o->m->s, (uint32_t)o->a);
    break;
  case GHOST_READERS: /* these two follow from who reads and sleeps */
  case GHOST_WAITERS:
  case GHOST_KNOWN:
  case GHOST_ENDED:
  case GHOST_DETACHED:
  case GHOST_JOINED:
  case GHOST_CANCEL: break;
  }
}

const LowerMachine il_ghosts = {get, set, term};
