/* Threads and synchronisation: events with rows of the lowering (model/lower.h). See internal.h.
 *
 * Rows that cannot be taken in this program are left out here: those for kinds of mutexes that it
 * does not have, for cancellation where nobody cancels, and those after which nothing is promised.
 * An operation that waits with a time either gets what it waits for or finds that the time is over;
 * that it slept meanwhile is of no interest, except in waits for conditions, where it lets go of the
 * lock. */
#include "engine/seq/internal.h"

#include <errno.h>

enum { MOST_WAITING = 256 };

static bool surely_false(LowerRelation relation, int64_t value, int64_t number) {
  switch (relation) {
  case REL_NONE: return false;
  case REL_EQ: return value != number;
  case REL_NE: return value == number;
  case REL_LT: return value >= number;
  case REL_GT: return value <= number;
  }
  return false;
}

static bool guard_is_impossible(const Unwinder *u, const LowerGuard *g, const Edge *e) {
  if (g->relation == REL_NONE || g->term != TERM_NUMBER) return false;
  LowerRelation relation = (LowerRelation)g->relation;
  bool simple = u->normal_locks && e->lock != LOCK_RECURSIVE;
  if (g->ghost == GHOST_CANCEL && g->whose == OF_SELF && !u->cancels)
    return surely_false(relation, 0, g->number);
  if (g->whose != OF_A && g->whose != OF_LOCK) return false;
  if (g->ghost == GHOST_TYPE && u->normal_locks)
    return surely_false(relation, lock_type_of_init((LockKind)e->lock, 0), g->number);
  if (g->ghost == GHOST_ROBUST && u->normal_locks)
    return surely_false(relation, ROBUST_NOT, g->number);
  return g->ghost == GHOST_COUNT && simple && relation == REL_GT && g->number >= 1;
}

static bool row_is_possible(const Unwinder *u, const LowerRow *row, const Edge *e) {
  if (row->end == ENDS_UNDEFINED || row->end == ENDS_CANCELLED) return false;
  if (row->op == OP_CREATE && row->outcome != RESULT_OK) return false;
  if (e->attempt == ATTEMPT_TIMED && row->end == ENDS_RESULT && row->error == EINVAL &&
      !u->request->whole)
    return false;
  for (int i = 0; i < LOWER_GUARDS; i++)
    if (guard_is_impossible(u, &row->guards[i], e)) return false;
  return true;
}

static bool sleeps(const LowerRow *row) {
  return row->end == ENDS_NOT && row->next == LOWER_SLEEPS;
}

/* The rows of the edge in these phases. A timed operation other than on a condition takes those
 * for the end of its time at once, and never sleeps. */
static uint32_t add_rows(Unwinder *u, const Edge *e, unsigned phases, LowerCause cause) {
  uint32_t count, first = u->seq->rows.len;
  const LowerRow *rows = lower_rows((OpKind)e->op, &count);
  bool keeps_sleep = e->op == OP_WAIT || e->op == OP_BARRIER_WAIT;
  if (e->attempt == ATTEMPT_TIMED && !keeps_sleep) phases |= LOWER_LATE;
  for (uint32_t i = 0; i < count; i++) {
    const LowerRow *row = &rows[i];
    bool fits = false;
    for (unsigned p = 1; p <= LOWER_RUNS; p <<= 1)
      fits = fits || ((phases & p) && lower_fits(row, e, (LowerPhase)p, cause));
    if (!fits || !row_is_possible(u, row, e) || (!keeps_sleep && sleeps(row))) continue;
    vec_push(&u->seq->rows, (SeqRow){.row = row});
  }
  uint32_t n = u->seq->rows.len - first;
  for (uint32_t i = 0; i < n; i++)
    u->seq->rows.data[first + i].chosen =
        n == 1 ? term_bool(u->terms, true) : term_var(u->terms, 1, "row");
  return first;
}

/* The kind that LOCK_INIT asks for: a number, or what the attribute holds. */
static Term init_kind(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  if (!e->b) return term_const(u->terms, 64, 0);
  Term value = seq_value(u, s, e->b);
  uint64_t number;
  if (program_expr(u->program, e->b)->sort == SORT_PTR) {
    if (term_get_const(u->terms, value, &number) && !number)
      return term_const(u->terms, 64, 0);
    value = seq_access_load(u, s, edge, e->b, value, MUTEX_KIND_BYTES);
  }
  return term_zext(u->terms, value, 64);
}

/* An event with the rows of these phases; what it works on is that of the edge. */
static SeqEvent *sync_event(Unwinder *u, State *s, EdgeId edge, unsigned phases,
                            LowerCause cause) {
  const Edge *e = program_edge(u->program, edge);
  Term kind = e->op == OP_LOCK_INIT ? init_kind(u, s, edge) : 0;
  Term operand =
      e->op == OP_SEM_INIT || e->op == OP_BARRIER_INIT ? seq_value(u, s, e->b) : 0;
  Term address = e->a ? seq_value(u, s, e->a) : 0;
  Term lock = e->op == OP_WAIT ? seq_value(u, s, e->b) : 0;
  uint32_t first = add_rows(u, e, phases, cause);
  SeqEvent *x = seq_unwind_event(u, s, SEQ_SYNC, edge);
  x->address = address;
  x->pointer = e->a;
  x->lock = lock;
  x->lock_pointer = lock ? e->b : 0;
  x->operand = kind ? kind : operand;
  x->first_row = first;
  x->row_count = u->seq->rows.len - first;
  x->phase =
      (uint8_t)(phases & (LOWER_START | LOWER_RUNS) ? phases & ~LOWER_LATE : LOWER_WOKEN);
  return x;
}

static Term any_row(Unwinder *u, uint32_t first, uint32_t count, bool sleeping) {
  Term any = term_bool(u->terms, false);
  for (uint32_t i = 0; i < count; i++) {
    const SeqRow *r = &u->seq->rows.data[first + i];
    if (sleeps(r->row) == sleeping) any = term_or(u->terms, any, r->chosen);
  }
  return any;
}

/* What the call returns, by the rows that end it. */
static Term result_of(Unwinder *u, const Edge *e, uint32_t first, uint32_t count,
                      Term otherwise) {
  Term value = otherwise;
  for (uint32_t i = 0; i < count; i++) {
    const SeqRow *r = &u->seq->rows.data[first + i];
    if (r->row->end != ENDS_RESULT) continue;
    SyncReturn ret =
        sync_return(u->program, e, (SyncOutcome)r->row->outcome, r->row->error);
    if (!ret.has_value) continue;
    Term mine = term_const(u->terms, 64, (uint64_t)ret.value);
    value = value ? term_ite(u->terms, r->chosen, mine, value) : mine;
  }
  return value;
}

static void set_result(Unwinder *u, State *s, const Edge *e, Term value) {
  if (e->dst && value) seq_step_set(u, s, e->dst, value);
}

static void sync_plain(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  SeqEvent *x = sync_event(u, s, edge, LOWER_START, CAUSE_STEP);
  uint32_t first = x->first_row, count = x->row_count;
  if (!count) s->guard = 0;
  set_result(u, s, e, result_of(u, e, first, count, 0));
}

/* WAIT and BARRIER_WAIT: the thread may sleep, and goes on when it was woken. */
static void sync_sleep(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  SeqEvent *x = sync_event(u, s, edge, LOWER_START, CAUSE_STEP);
  uint32_t first = x->first_row, count = x->row_count;
  Term asleep = any_row(u, first, count, true);
  Term value = result_of(u, e, first, count, 0);
  Term chosen = value;
  State later;
  seq_state_copy(u, s, &later);
  later.guard = term_and(u->terms, s->guard, asleep);
  s->guard = term_and(u->terms, s->guard, term_not(u->terms, asleep));
  set_result(u, s, e, value);
  if (!guard_is_false(u, later.guard)) {
    unsigned phases = LOWER_WOKEN | (e->attempt == ATTEMPT_TIMED ? LOWER_LATE : 0u);
    x = sync_event(u, &later, edge, phases, CAUSE_STEP);
    if (u->request->world.spurious && e->op == OP_WAIT)
      x->spurious = term_var(u->terms, 1, "spurious");
    set_result(u, &later, e, result_of(u, e, x->first_row, x->row_count, 0));
  }
  seq_state_merge(u, s, &later);
  /* Which of the threads at a barrier is told that it is the one, nobody knows. */
  if (u->request->whole && e->op == OP_BARRIER_WAIT && e->dst && chosen) {
    Term other = term_const(u->terms, 64, 0), one = term_var(u->terms, 1, "chosen");
    set_result(u, s, e, term_ite(u->terms, one, chosen, other));
  }
}

static void sync_once(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  uint64_t address;
  Term function = seq_value(u, s, e->b);
  if (!term_get_const(u->terms, function, &address) || !seq_function_at(address)) {
    seq_unwind_cut(u, s, 0);
    s->guard = 0;
    return;
  }
  SeqEvent *x = sync_event(u, s, edge, LOWER_START, CAUSE_STEP);
  Term runs = term_bool(u->terms, false);
  for (uint32_t i = 0; i < x->row_count; i++)
    if (u->seq->rows.data[x->first_row + i].row->next == LOWER_RUNS)
      runs = term_or(u->terms, runs, u->seq->rows.data[x->first_row + i].chosen);
  seq_unwind_leave_alone(u, s);
  State first;
  seq_state_copy(u, s, &first);
  first.guard = term_and(u->terms, s->guard, runs);
  s->guard = term_and(u->terms, s->guard, term_not(u->terms, runs));
  Term ignored;
  FuncId f = seq_function_at(address);
  if (!guard_is_false(u, first.guard))
    seq_unwind_function(u, f, NULL, 0, &first, &ignored);
  if (!guard_is_false(u, first.guard))
    sync_event(u, &first, edge, LOWER_RUNS, CAUSE_RETURN)->returns = f;
  seq_state_merge(u, s, &first);
  SyncReturn ret = sync_return(u->program, e, RESULT_OK, 0);
  if (ret.has_value) set_result(u, s, e, term_const(u->terms, 64, (uint64_t)ret.value));
}

/* ---- threads ---- */

/* Ids of threads differ, and are not 0. */
static Term new_id(Unwinder *u, uint32_t number) {
  Terms *t = u->terms;
  if (!u->request->whole) return term_const(t, 64, seq_thread_id(number));
  Term id = term_var(t, 64, "thread");
  vec_push(&u->seq->facts, term_not(t, term_eq(t, id, term_const(t, 64, 0))));
  for (uint32_t i = 1; i < number; i++)
    vec_push(&u->seq->facts, term_not(t, term_eq(t, id, u->seq->threads.data[i].id)));
  return id;
}

/* Of a hundred threads that do the same, an error needs a few, and often one that is created behind
 * them. So the first of each edge are unwound; what the others do is cut off before their first step. No edge
 * takes more than half of all threads, if there are others. */
static bool is_surplus(const Unwinder *u, EdgeId edge) {
  const SeqBounds *b = &u->request->bounds;
  if (!b->copies) return false;
  uint64_t most = b->copies * (b->more ? map_find(b->more, seq_thread_key(), 1) : 1);
  if (u->create_edges > 1 && most > b->threads / 2) most = b->threads / 2;
  uint32_t awake = 0, same = 0;
  for (uint32_t i = 0; i < u->seq->threads.len; i++) {
    const SeqThread *t = &u->seq->threads.data[i];
    if (t->waits) continue;
    awake++;
    same += i && u->seq->threads.data[t->creator].events.data[t->creation].edge == edge;
  }
  return awake >= b->threads || same >= most;
}

static void create_one(Unwinder *u, State *s, EdgeId edge, FuncId function, Term guard) {
  const Edge *e = program_edge(u->program, edge);
  bool waits = is_surplus(u, edge);
  uint32_t most =
      u->request->bounds.threads + (u->request->bounds.copies ? MOST_WAITING : 0);
  if (u->seq->threads.len >= most) {
    State cut = *s;
    cut.guard = guard;
    seq_unwind_cut(u, &cut, seq_thread_key());
    return;
  }
  uint32_t number = u->seq->threads.len, events = u->event_count;
  SeqThread t = {.entry = function,
                 .waits = waits,
                 .creator = u->thread,
                 .id = new_id(u, number),
                 .result = term_var(u->terms, 64, "result")};
  t.argument = e->c ? seq_value(u, s, e->c) : term_const(u->terms, 64, 0);
  t.creation = seq_unwind_thread(u)->events.len;
  vec_push(&u->seq->threads, t);
  Term all = s->guard;
  s->guard = guard;
  bool outer = s->sections == 0;
  seq_unwind_begin_step(u, s);
  if (outer) u->glue = false;
  SeqEvent *x = sync_event(u, s, edge, LOWER_START, CAUSE_STEP);
  x->created = number;
  if (e->a) {
    Term id = seq_value(u, s, e->a);
    uint64_t null;
    if (!term_get_const(u->terms, id, &null) || null)
      seq_access_store(u, s, edge, e->a, id, vec_at(&u->seq->threads, number)->id, 8);
  }
  seq_unwind_end_step(u, s);
  if (u->request->bounds.copies) u->bounded_events += u->event_count - events;
  s->guard = guard_is_false(u, s->guard) ? 0 : all;
}

/* A thread may not be had; of whoever does not look whether there is one, it is taken that there is:
 * without it only less can happen. */
static Term may_be_refused(Unwinder *u, const Edge *e) {
  bool looks =
      u->request->whole && e->dst && e->to && liveness_has(u->liveness, e->to, e->dst);
  return looks ? term_var(u->terms, 1, "refused") : term_bool(u->terms, false);
}

static void set_create_result(Unwinder *u, State *s, const Edge *e, Term refused) {
  SyncReturn ret = sync_return(u->program, e, RESULT_OK, 0);
  if (!ret.has_value || guard_is_false(u, s->guard)) return;
  Term good = term_const(u->terms, 64, (uint64_t)ret.value);
  if (term_is_false(u->terms, refused)) {
    set_result(u, s, e, good);
    return;
  }
  uint32_t bits = vec_at(&u->program->locals, e->dst)->bits;
  Term bad = term_var(u->terms, bits, "error");
  vec_push(&u->seq->facts,
           term_not(u->terms, term_eq(u->terms, bad, term_fit(u->terms, good, bits))));
  set_result(u, s, e, term_ite(u->terms, refused, bad, term_fit(u->terms, good, bits)));
}

static void create_any(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  Term refused = may_be_refused(u, e), had = term_not(u->terms, refused);
  Term function = seq_value(u, s, e->b);
  uint64_t address;
  if (term_get_const(u->terms, function, &address)) {
    if (seq_function_at(address))
      create_one(u, s, edge, seq_function_at(address), term_and(u->terms, s->guard, had));
  } else {
    const FuncId *functions;
    uint32_t n = pointsto_callees(u->request->pointsto, edge, &functions);
    Term none = term_bool(u->terms, true);
    for (uint32_t i = 0; i < n && u->request->whole; i++)
      none = term_and(
          u->terms, none,
          term_not(u->terms, term_eq(u->terms, function,
                                     term_const(u->terms, 64,
                                                seq_function_address(functions[i])))));
    seq_unwind_lose(u, s, none);
    for (uint32_t i = 0; i < n && !guard_is_false(u, s->guard); i++) {
      Term is = term_eq(u->terms, function,
                        term_const(u->terms, 64, seq_function_address(functions[i])));
      create_one(u, s, edge, functions[i],
                 term_and(u->terms, had, term_and(u->terms, s->guard, is)));
    }
  }
  set_create_result(u, s, e, refused);
}

static void sync_create(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  seq_unwind_leave_alone(u, s);
  /* whoever does not look at the result takes it for granted */
  if (!u->request->world.refusals || !e->dst) {
    create_any(u, s, edge);
    return;
  }
  Term refused =
      term_eq(u->terms, seq_step_input(u, s, edge, 1), term_const(u->terms, 1, 1));
  SyncReturn ret = sync_return(u->program, e, RESULT_ERROR, 0);
  State nothing;
  seq_state_copy(u, s, &nothing);
  nothing.guard = term_and(u->terms, s->guard, refused);
  s->guard = term_and(u->terms, s->guard, term_not(u->terms, refused));
  if (ret.has_value)
    set_result(u, &nothing, e, term_const(u->terms, 64, (uint64_t)ret.value));
  create_any(u, s, edge);
  seq_state_merge(u, s, &nothing);
}

static void sync_join(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  SeqEvent *x = sync_event(u, s, edge, LOWER_START, CAUSE_STEP);
  Term value = term_var(u->terms, 64, "joined");
  uint32_t first = x->first_row, count = x->row_count;
  x->value = value;
  set_result(u, s, e, result_of(u, e, first, count, 0));
  if (!e->b) return;
  Term where = seq_value(u, s, e->b);
  uint64_t null;
  if (term_get_const(u->terms, where, &null) && !null) return;
  uint32_t size = e->size && e->size <= 8 ? e->size : 8;
  seq_unwind_begin_step(u, s);
  seq_access_store(u, s, edge, e->b, where, value, size);
  seq_unwind_end_step(u, s);
}

static void sync_sem_value(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  Term value = term_var(u->terms, 64, "semaphore");
  SeqEvent *x = sync_event(u, s, edge, LOWER_START, CAUSE_STEP);
  x->value = value;
  set_result(u, s, e, result_of(u, e, x->first_row, x->row_count, 0));
  seq_unwind_begin_step(u, s);
  seq_access_store(u, s, edge, e->b, seq_value(u, s, e->b), value, 4);
  seq_unwind_end_step(u, s);
}

static void end_thread(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  SeqEvent *x = seq_unwind_event(u, s, SEQ_END, edge);
  x->value = e->a ? seq_value(u, s, e->a) : term_const(u->terms, 64, 0);
  s->guard = 0;
}

void seq_sync(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  switch ((OpKind)e->op) {
  case OPS_SEQUENTIAL: break; /* not here */
  case OP_CREATE: sync_create(u, s, edge); break;
  case OP_JOIN: sync_join(u, s, edge); break;
  case OP_EXIT_THREAD: end_thread(u, s, edge); break;
  case OP_SELF:
    if (e->dst)
      seq_step_set(u, s, e->dst,
                   u->request->whole
                       ? seq_fresh(u, 64, "self")
                       : term_const(u->terms, 64, seq_thread_id(u->thread)));
    break;
  case OP_CANCEL_POINT: set_result(u, s, e, term_const(u->terms, 64, 0)); break;
  case OP_WAIT:
  case OP_BARRIER_WAIT: sync_sleep(u, s, edge); break;
  case OP_ONCE: sync_once(u, s, edge); break;
  case OP_SEM_VALUE: sync_sem_value(u, s, edge); break;
  case OPS_USER: {
    SyncReturn ret = sync_return(u->program, e, RESULT_OK, 0);
    if (ret.has_value) set_result(u, s, e, term_const(u->terms, 64, (uint64_t)ret.value));
    break;
  }
  case OP_ATOMIC_BEGIN:
    if (s->sections++ == 0) u->glue = false;
    break;
  case OP_ATOMIC_END:
    if (s->sections && --s->sections == 0) u->glue = false;
    break;
  case OP_CANCEL:
    seq_unwind_partial(u, "threads are cancelled");
    sync_plain(u, s, edge);
    break;
  case OP_DETACH:
  case OPS_LOCK:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_INIT:
  case OP_SEM_WAIT:
  case OP_SEM_POST:
  case OP_SEM_DESTROY: sync_plain(u, s, edge); break;
  }
}
