/* Synchronisation: the rows of model/lower.h over the ghosts of the state (sync.h).
 *
 * A thread takes any of the rows that may be taken, and waits if there is none: for those whose
 * letting go would make the guards of a row hold. What a row acquires and releases moves
 * knowledge (happens.c).
 *
 * Nobody sees how long a thread sleeps. Whoever may wait for a time finds at once that it is over.
 * A wait for a condition may end at any time (spurious wake-ups exist). Where only races are looked
 * for, signals therefore change nothing, and conditions are not followed: that covers every
 * execution with and without them. For deadlocks they are, and waking up without a signal is
 * possible but no progress (`idle`): nobody can rely on it. Any participant may be the one that a
 * barrier chooses. */
#include "engine/interleave/sync.h"

#include "model/op_access.h"

#include <assert.h>
#include <errno.h>

/* ---- results ---- */

static Outcome finish(Machine *m, const Edge *e, SyncReturn ret) {
  m->s.threads[m->t].phase = PHASE_START;
  if (ret.error && m->p->errno_object) {
    vec_clear(&m->places);
    MemPlace place = {il_instance_of(m, m->p->errno_object), 0, false};
    vec_push(&m->places, place);
    il_memory_write(m, 4, abs_number((uint32_t)ret.error));
  }
  if (ret.has_value)
    il_local_set(m, e->dst, abs_number((uint64_t)ret.value));
  else if (e->dst && !e->aux)
    il_local_set(m, e->dst, abs_top());
  il_frame_top(m)->node = e->to;
  return e->to ? OUTCOME_NEXT : OUTCOME_HALT;
}

Outcome il_sync_result(Machine *m, const Edge *e, SyncOutcome kind) {
  return finish(m, e, sync_return(m->p, e, kind, 0));
}

/* ---- which rows can be taken ---- */

enum { MOST_WAYS = 32 }; /* more than any operation has rows */

typedef struct {
  const LowerRow *rows[MOST_WAYS];
  uint32_t count;
} Ways;

static bool fits(const SyncOp *o, const LowerRow *row, unsigned phases,
                 LowerCause cause) {
  for (unsigned p = LOWER_START; p <= LOWER_RUNS; p <<= 1)
    if ((phases & p) && lower_fits(row, o->e, (LowerPhase)p, cause)) return true;
  return false;
}

static bool ends_sleep(const SyncOp *o, LowerCause cause) {
  uint32_t count;
  const LowerRow *rows = lower_rows((OpKind)o->e->op, &count);
  for (uint32_t i = 0; i < count; i++)
    if (fits(o, &rows[i], LOWER_SLEEPS, cause)) return true;
  return false;
}

static bool is_asleep(const SyncOp *o) {
  return o->m->s.threads[o->m->t].phase == PHASE_ASLEEP;
}

/* The phases, as a set, in which the thread may find itself as time goes by. That it sleeps is
 * noticed only if it has done something before. */
static unsigned phases_of(const SyncOp *o) {
  bool timed = o->e->attempt == ATTEMPT_TIMED && o->e->op != OP_WAIT;
  unsigned phases = 0;
  switch ((ThreadPhase)o->m->s.threads[o->m->t].phase) {
  case PHASE_START: return timed ? LOWER_START | LOWER_LATE : LOWER_START;
  case PHASE_WOKEN:
  case PHASE_CHOSEN: return LOWER_WOKEN;
  case PHASE_ASLEEP: break;
  }
  if (ends_sleep(o, CAUSE_SPURIOUS)) phases |= LOWER_WOKEN;
  if (ends_sleep(o, CAUSE_TIME)) phases |= LOWER_LATE;
  return phases;
}

/* 1: the time that the operation may wait for is none, 0: it is one, -1: that is not known. */
static Outcome look_at_time(SyncOp *o, int *ret_wrong) {
  enum { NANOSECONDS = 8, SECOND = 1000000000 };
  Machine *m = o->m;
  OpAccess list[OP_ACCESS_MAX];
  uint32_t n = op_accesses(m->p, o->e, list), i = 0;
  while (i < n && list[i].size != OP_TIME_BYTES) i++;
  *ret_wrong = 0;
  if (i == n) return OUTCOME_NEXT;
  AbsValue address = il_eval(m, list[i].address);
  if (abs_is_number(address) && address.num == 0) return OUTCOME_NEXT;
  Outcome out = il_memory_resolve(m, address, list[i].address);
  if (out != OUTCOME_NEXT) return out;
  for (uint32_t k = 0; k < m->places.len; k++) m->places.data[k].offset += NANOSECONDS;
  AbsValue rest = il_memory_read(m, 8);
  *ret_wrong = abs_is_number(rest) ? rest.num >= SECOND : -1;
  return OUTCOME_NEXT;
}

/* Who is about to wait for a time gets an error if it is none, and waits otherwise. */
static Outcome mind_time(SyncOp *o, Ways *ways) {
  int wrong;
  uint32_t kept = 0;
  if (!(phases_of(o) & LOWER_START) || o->e->attempt != ATTEMPT_TIMED)
    return OUTCOME_NEXT;
  Outcome out = look_at_time(o, &wrong);
  if (out != OUTCOME_NEXT) return out;
  for (uint32_t i = 0; i < ways->count; i++) {
    const LowerRow *row = ways->rows[i];
    bool refuses = row->end == ENDS_RESULT && row->error == EINVAL;
    bool waits = row->end == ENDS_NOT ||
                 (row->end == ENDS_RESULT && row->outcome == RESULT_TIMEOUT);
    if ((refuses && wrong == 0) || (waits && wrong == 1)) continue;
    o->guessed = o->guessed || (refuses && wrong < 0);
    ways->rows[kept++] = row;
  }
  ways->count = kept;
  return OUTCOME_NEXT;
}

static Outcome find_ways(SyncOp *o, Ways *ret) {
  uint32_t count;
  unsigned phases = phases_of(o);
  const LowerRow *rows = lower_rows((OpKind)o->e->op, &count);
  assert(count <= MOST_WAYS);
  for (uint32_t i = 0; i < count; i++) {
    bool unnoticed = rows[i].next == LOWER_SLEEPS && !rows[i].changes[0].kind;
    if (!unnoticed && fits(o, &rows[i], phases, CAUSE_STEP) &&
        lower_holds(&rows[i], &il_ghosts, o))
      ret->rows[ret->count++] = &rows[i];
  }
  return mind_time(o, ret);
}

/* ---- waiting ---- */

/* The guard does not hold: who can make it hold? False: nobody but the thread itself. */
static bool blame(const SyncOp *o, const LowerGuard *g, Wait *wait) {
  const Sync *y = il_ghosts_object(o, (LowerWhose)g->whose);
  bool free = g->relation == REL_EQ && g->term == TERM_NUMBER && g->number == 0;
  bool held = free && (g->ghost == GHOST_OWNER || g->ghost == GHOST_READERS);
  uint32_t owner = y ? y->owner : o->m->s.section_owner;
  assert(!held || g->ghost != GHOST_OWNER || owner); /* or the guard would hold */
  if (g->ghost == GHOST_VALUE)
    wait->event = true;
  else if (g->ghost == GHOST_ENDED)
    wait->holders |= UINT64_C(1) << o->thread;
  else if (held && y && y->kind == SYNC_LOCK && o->m->options.unlock_any)
    wait->event = true;
  else if (held && g->ghost == GHOST_READERS)
    wait->holders |= y->readers;
  else if (held && owner == OWNER_GONE)
    wait->gone = true;
  else if (held)
    wait->holders |= UINT64_C(1) << (owner - 1);
  else
    return false;
  return true;
}

static void blame_row(SyncOp *o, const LowerRow *row, Wait *wait) {
  Wait all = *wait;
  for (int i = 0; i < LOWER_GUARDS; i++)
    if (!lower_guard_holds(&row->guards[i], &il_ghosts, o) &&
        !blame(o, &row->guards[i], &all))
      return;
  *wait = all;
}

/* No row can be taken. Who sleeps waits for an event as well, unless time or a request ends that. */
static Outcome block(SyncOp *o) {
  uint32_t count;
  unsigned phases = phases_of(o);
  const LowerRow *rows = lower_rows((OpKind)o->e->op, &count);
  Wait wait = {.event = is_asleep(o) && !(phases & LOWER_LATE) && !il_is_cancelled(o->m)};
  for (uint32_t i = 0; i < count; i++)
    if (fits(o, &rows[i], phases, CAUSE_STEP)) blame_row(o, &rows[i], &wait);
  return il_block(o->m, wait);
}

/* ---- taking a row ---- */

static uint32_t carrier(const SyncOp *o, unsigned whose) {
  return (uint32_t)(whose == OF_SECTION ? o->section : whose == OF_LOCK ? o->lock : o->a);
}

static void learn(SyncOp *o, uint32_t thread, const LowerRow *row) {
  State *s = &o->m->s;
  if (row->acquires == 1 + OF_THREAD) {
    if (o->thread >= 0) il_happens_tell(s, (uint32_t)o->thread, thread);
    return;
  }
  il_happens_acquire(s, thread, carrier(o, row->acquires - 1u));
  if (o->readers >= 0 && !lower_shares(row))
    il_happens_acquire(s, thread, (uint32_t)o->readers);
}

static void release(SyncOp *o, const LowerRow *row) {
  uint32_t to = lower_shares(row) ? (uint32_t)o->readers : carrier(o, row->releases - 1u);
  il_happens_release(&o->m->s, o->m->t, to, true);
}

static bool wants_result(const Machine *m, uint64_t threads) {
  for (; threads; threads &= threads - 1) {
    const AbsThread *t = &m->s.threads[__builtin_ctzll(threads)];
    NodeId node = vec_last(&t->frames)->node;
    if (program_edge(m->p, node_first_edge(m->p, node))->dst) return true;
  }
  return false;
}

/* The n-th thread of the set. */
static uint64_t nth(uint64_t set, int n) {
  while (n--) set &= set - 1;
  return set & ~(set - 1);
}

/* Who is woken, and who of all at a barrier it chooses. False: enough was chosen. */
static bool choose_threads(SyncOp *o, const LowerRow *row, uint64_t *ret_woken,
                           uint64_t *ret_chosen) {
  const Sync *y = il_ghosts_object(o, OF_A);
  uint64_t asleep =
      y && (row->wake == WAKE_ONE || row->wake == WAKE_ALL) ? y->readers : 0;
  uint64_t from = 0;
  *ret_woken = asleep;
  *ret_chosen = 0;
  bool special = row->end == ENDS_RESULT && row->outcome == RESULT_SPECIAL;
  if (row->wake == WAKE_ONE) from = asleep;
  if (special) from = asleep | UINT64_C(1) << o->m->t;
  if (!from) return true;
  assert(row->wake == WAKE_ONE || special);
  bool matters = !special || wants_result(o->m, from);
  unsigned ways = matters ? (unsigned)__builtin_popcountll(from) : 1;
  int choice = machine_choose_freely(o->m, ways);
  if (choice < 0) return false;
  *(special ? ret_chosen : ret_woken) = nth(from, choice);
  return true;
}

static void wake(SyncOp *o, const LowerRow *row, uint64_t woken, uint64_t chosen) {
  assert(!(woken & UINT64_C(1) << o->m->t));
  if (woken) il_ghosts_object(o, OF_A)->readers &= ~woken;
  for (; woken; woken &= woken - 1) {
    uint32_t thread = (uint32_t)__builtin_ctzll(woken);
    if (row->acquires) learn(o, thread, row);
    o->m->s.threads[thread].phase = chosen >> thread & 1 ? PHASE_CHOSEN : PHASE_WOKEN;
  }
}

static void sleep_or_not(SyncOp *o, bool sleeps) {
  Sync *y = il_ghosts_object(o, OF_A);
  uint64_t me = UINT64_C(1) << o->m->t;
  if (sleeps) o->m->s.threads[o->m->t].phase = PHASE_ASLEEP;
  if (y) y->readers = sleeps ? y->readers | me : y->readers & ~me;
}

/* What POSIX promises nothing about; with --unlock-any, releasing what another one holds is like
 * releasing one's own, and releasing what nobody holds does nothing. */
static Outcome misuse(SyncOp *o) {
  static const char *const WHY[OP_COUNT] = {
      [OP_JOIN] = "a thread is joined that was joined or detached before",
      [OP_UNLOCK] = "a lock is released that the thread does not hold",
      [OP_WAIT] = "a condition is waited for without its mutex",
      [OP_COND_DESTROY] = "a condition is destroyed while it is used",
      [OP_BARRIER_WAIT] = "a barrier is used that was not initialised",
      [OP_BARRIER_DESTROY] = "a barrier is destroyed while it is used"};
  Sync *y = il_ghosts_object(o, OF_A);
  if (o->e->op != OP_UNLOCK || !o->m->options.unlock_any || (!y->owner && y->readers))
    return il_give_up(o->m, "%s", WHY[o->e->op]);
  if (y->owner) il_happens_release(&o->m->s, o->m->t, (uint32_t)o->a, true);
  y->owner = 0;
  y->count = 0;
  return il_sync_result(o->m, o->e, RESULT_OK);
}

/* The guards hold: orders and changes. */
static Outcome take(SyncOp *o, const LowerRow *row, uint64_t *ret_chosen) {
  uint64_t woken;
  if (!choose_threads(o, row, &woken, ret_chosen)) return OUTCOME_PAUSE;
  /* it has learnt where it slept what there was to learn when it was woken */
  bool knows = phases_of(o) == LOWER_WOKEN && row->acquires == 1 + OF_A;
  if (is_asleep(o)) {
    /* whoever follows signals may not rely on waking up without one */
    if (o->a >= 0 && !il_is_cancelled(o->m))
      o->m->idle = o->m->wait.event = row->phases & LOWER_WOKEN;
    sleep_or_not(o, false);
  }
  if (row->releases) release(o, row);
  if (row->acquires && !knows) learn(o, o->m->t, row);
  wake(o, row, woken, *ret_chosen);
  lower_apply(row, &il_ghosts, o);
  return o->failed ? OUTCOME_GIVE_UP : OUTCOME_NEXT;
}

/* Everything but how the operation ends, which *ret_row says. */
static Outcome perform(SyncOp *o, const LowerRow **ret_row, uint64_t *ret_chosen) {
  Ways ways = {0};
  Outcome out = il_ghosts_find(o);
  if (out == OUTCOME_NEXT) out = find_ways(o, &ways);
  if (out != OUTCOME_NEXT) return out;
  if (!ways.count) return block(o);
  int choice = o->guessed ? machine_choose(o->m, ways.count)
                          : machine_choose_freely(o->m, ways.count);
  if (choice < 0) return OUTCOME_PAUSE;
  *ret_row = ways.rows[choice];
  return (*ret_row)->end == ENDS_UNDEFINED ? OUTCOME_NEXT : take(o, *ret_row, ret_chosen);
}

/* ---- how operations end ---- */

static Outcome run_once(SyncOp *o) {
  Machine *m = o->m;
  AbsValue function = il_eval(m, o->e->b);
  Sync y = *il_ghosts_object(o, OF_A);
  if (abs_tag(function) != ABS_FUNCTION)
    return il_give_up(m, "a one-time initialiser is not known");
  Outcome out = il_call_enter(m, m->t, abs_id(function), NULL, 0, FRAME_ONCE, m->edge);
  if (out != OUTCOME_NEXT) return out;
  il_frame_top(m)->once_instance = y.instance;
  il_frame_top(m)->once_offset = y.offset;
  return OUTCOME_NEXT;
}

Outcome il_once_done(Machine *m, const ThreadFrame *f) {
  SyncOp o = {.m = m, .e = program_edge(m->p, f->call), .readers = -1};
  o.a = il_sync_at(m, f->once_instance, f->once_offset, SYNC_ONCE);
  if (o.a < 0) return OUTCOME_GIVE_UP;
  uint32_t count;
  const LowerRow *row = lower_rows(OP_ONCE, &count);
  while (!lower_fits(row, o.e, LOWER_RUNS, CAUSE_RETURN)) row++;
  release(&o, row);
  lower_apply(row, &il_ghosts, &o);
  return il_sync_result(m, o.e, (SyncOutcome)row->outcome);
}

/* What the operation writes for the program. */
static Outcome store_value(SyncOp *o, const LowerRow *row) {
  Machine *m = o->m;
  if (o->e->op == OP_JOIN && row->acquires) return il_thread_result(m, o->e, o->results);
  if (o->e->op != OP_SEM_VALUE) return OUTCOME_NEXT;
  AbsValue value = abs_number(il_ghosts_object(o, OF_A)->count);
  return il_memory_store(m, o->e->b, OP_INT_BYTES, ACCESS_WRITE, value);
}

static Outcome end(SyncOp *o, const LowerRow *row, uint64_t chosen) {
  Machine *m = o->m;
  SyncOutcome outcome = (SyncOutcome)row->outcome;
  const AbsThread *t = &m->s.threads[m->t];
  if (outcome == RESULT_SPECIAL && !(chosen >> m->t & 1)) outcome = RESULT_OK;
  if (t->phase == PHASE_CHOSEN) outcome = RESULT_SPECIAL;
  Outcome out = store_value(o, row);
  if (out != OUTCOME_NEXT) return out;
  return finish(m, o->e, sync_return(m->p, o->e, outcome, row->error));
}

Outcome il_sync_step(Machine *m, const Edge *e) {
  SyncOp o = {.m = m, .e = e};
  const LowerRow *row = NULL;
  uint64_t chosen = 0;
  Outcome out = perform(&o, &row, &chosen);
  if (out != OUTCOME_NEXT) return out;
  switch ((LowerEnd)row->end) {
  case ENDS_RESULT: return end(&o, row, chosen);
  case ENDS_CANCELLED: return il_cancel_take_effect(m);
  case ENDS_UNDEFINED: return misuse(&o);
  case ENDS_NOT: break;
  }
  if (row->next == LOWER_RUNS) return run_once(&o);
  sleep_or_not(&o, true);
  return OUTCOME_DONE;
}

Outcome il_sync_repair(Machine *m, ExprId lock) {
  Edge e = {.op = OP_UNLOCK, .a = lock, .lock = LOCK_MUTEX};
  SyncOp o = {.m = m, .e = &e};
  Outcome out = il_ghosts_find(&o);
  if (out != OUTCOME_NEXT) return out;
  Sync *y = il_ghosts_object(&o, OF_A);
  if (y->owner == m->t + 1 && y->rank == ROBUST_UNREPAIRED) y->rank = ROBUST_WELL;
  return OUTCOME_NEXT;
}

Outcome il_section_step(Machine *m, bool begins) {
  Edge e = {.op = begins ? OP_ATOMIC_BEGIN : OP_ATOMIC_END};
  SyncOp o = {.m = m, .e = &e};
  const LowerRow *row;
  uint64_t chosen;
  return perform(&o, &row, &chosen);
}
