/* Synchronisation by the rows of the lowering (model/lower.h), over terms. See model_internal.h.
 *
 * Every row that may be taken is a branch. A guard about what is not followed is left out, and a
 * change of it is none. An operation that waits with a time either gets what it waits for or finds
 * that the time is over; that it slept meanwhile is of no interest, except in waits for
 * conditions, which let go of their lock. Barriers let everybody pass at any time. After what POSIX
 * leaves open an object is in any state.
 *
 * Who fails to take something has seen that others have it, but is not ordered behind them: C11 and
 * POSIX let him fail without a cause. So what fails may fail at any time; otherwise a race of what he
 * does then with what they did before would be excluded. */
#include "engine/circ/model_internal.h"

/* The operation at hand. */
typedef struct {
  CircMaker *x;
  const Edge *e;
  const AutoStep *step;
  CircObject *object, *lock; /* or NULL: not followed */
} Operation;

static CircObject *whose(const Operation *o, uint8_t whose) {
  return whose == OF_A ? o->object : whose == OF_LOCK ? o->lock : NULL;
}

/* ---- guards ---- */

static Term compare(Terms *t, LowerRelation relation, Term a, Term b) {
  switch (relation) {
  case REL_EQ: return term_eq(t, a, b);
  case REL_NE: return term_not(t, term_eq(t, a, b));
  case REL_LT: return term_ult(t, a, b);
  case REL_GT: return term_ult(t, b, a);
  case REL_NONE: break;
  }
  return term_bool(t, true);
}

static Term number_is(Terms *t, LowerRelation relation, int64_t value, int64_t number) {
  Term a = term_const(t, 32, (uint64_t)value), b = term_const(t, 32, (uint64_t)number);
  return compare(t, relation, a, b);
}

/* Who has it. Where only that is followed whether somebody has, any thread may be the one. */
static Term guard_on_owner(const Operation *o, const CircHere *s, CircObject *y,
                           const LowerGuard *g) {
  CircMaker *x = o->x;
  bool is = g->relation == REL_EQ;
  Term held = circ_get(x, s, circ_ghost_shared(x, y, GHOST_OWNER)), mine;
  if (g->term == TERM_NUMBER) return is ? term_not(x->t, held) : held;
  if (y->owned) { /* who has it knows that somebody has it */
    mine = circ_get(x, s, circ_ghost_local(x, y, GHOST_OWNER));
    mine = term_and(x->t, mine, held);
    return is ? mine : term_not(x->t, mine);
  }
  bool takes = o->e->op == OP_LOCK;
  return is && takes ? held : term_bool(x->t, true);
}

static Term guard_holds(const Operation *o, const CircHere *s, const LowerGuard *g) {
  CircMaker *x = o->x;
  Terms *t = x->t;
  CircObject *y = whose(o, g->whose);
  LowerRelation relation = (LowerRelation)g->relation;
  Term yes = term_bool(t, true), is = 0;
  if (relation == REL_NONE) return yes;
  if (g->whose == OF_SELF) return number_is(t, relation, 0, g->number); /* CANCEL */
  if (g->whose == OF_TERM) {
    if (g->ghost != TERM_OPERAND) return yes;
    is = term_fit(t, circ_value(x, s, o->step->frame, o->e->b), 32);
    return compare(t, relation, is, term_const(t, 32, (uint64_t)(int64_t)g->number));
  }
  if (g->ghost == GHOST_ROBUST && !x->robust)
    return number_is(t, relation, ROBUST_NOT, g->number);
  if (!y) return yes;
  switch ((Ghost)g->ghost) {
  case GHOST_OWNER: return guard_on_owner(o, s, y, g);
  case GHOST_COUNT:
    if (!y->counted) return number_is(t, relation, 1, g->number);
    /* who has it has it at least once */
    if (relation == REL_GT && g->number == 1) relation = REL_NE;
    is = circ_get(x, s, circ_ghost_local(x, y, GHOST_COUNT));
    break;
  case GHOST_READS:
    if (y->lock != LOCK_RW) return number_is(t, relation, 0, g->number);
    is = circ_get(x, s, circ_ghost_local(x, y, GHOST_READS));
    break;
  case GHOST_READERS:
    if (y->lock != LOCK_RW) return number_is(t, relation, 0, g->number);
    is = circ_get(x, s, circ_ghost_shared(x, y, GHOST_READERS));
    break;
  case GHOST_TYPE:
    if (y->type >= 0) return number_is(t, relation, y->type, g->number);
    return term_bool(t,
                     y->checked || relation != REL_EQ || g->number != MUTEX_ERRORCHECK);
  case GHOST_ROBUST: return number_is(t, relation, ROBUST_NOT, g->number);
  case GHOST_VALUE:
  case GHOST_DONE: is = circ_get(x, s, circ_ghost_shared(x, y, (Ghost)g->ghost)); break;
  case GHOST_WAITERS: /* these are not followed */
  case GHOST_SIZE:
  case GHOST_MISSING:
  case GHOST_KNOWN:
  case GHOST_ENDED:
  case GHOST_DETACHED:
  case GHOST_JOINED:
  case GHOST_CANCEL:
  case GHOST_ALL: return yes;
  }
  uint32_t bits = term_bits(t, is);
  return compare(t, relation, is, term_const(t, bits, (uint64_t)(int64_t)g->number));
}

/* ---- changes ---- */

static void set_shared(const Operation *o, CircHere *s, CircObject *y, Ghost ghost,
                       Term value) {
  circ_put(o->x, s, circ_ghost_shared(o->x, y, ghost), value);
}

static void set_local(const Operation *o, CircHere *s, CircObject *y, Ghost ghost,
                      Term value) {
  circ_put(o->x, s, circ_ghost_local(o->x, y, ghost), value);
}

/* Every ghost of the object becomes 0, or any value. */
static void set_all(const Operation *o, CircHere *s, CircObject *y, bool any) {
  static const Ghost shared[] = {GHOST_OWNER, GHOST_READERS, GHOST_VALUE, GHOST_DONE};
  static const Ghost own[] = {GHOST_OWNER, GHOST_COUNT, GHOST_READS};
  CircMaker *x = o->x;
  for (int i = 0; i < 4; i++) {
    bool there = shared[i] == GHOST_OWNER     ? y->kind != SYNC_SEM
                 : shared[i] == GHOST_READERS ? y->lock == LOCK_RW
                 : shared[i] == GHOST_VALUE   ? y->kind == SYNC_SEM
                                              : y->kind == SYNC_ONCE;
    if (!there) continue;
    CircVar v = circ_ghost_shared(x, y, shared[i]);
    uint32_t bits = term_bits(x->t, circ_now(x, v));
    circ_put(x, s, v, any ? circ_any(x, bits, "open") : term_const(x->t, bits, 0));
  }
  for (int i = 0; i < 3 && y->owned && y->kind == SYNC_LOCK; i++) {
    if (own[i] == GHOST_READS && y->lock != LOCK_RW) continue;
    if (own[i] == GHOST_COUNT && !y->counted) continue;
    CircVar v = circ_ghost_local(x, y, own[i]);
    uint32_t bits = term_bits(x->t, circ_now(x, v));
    circ_put(x, s, v, any ? circ_any(x, bits, "open") : term_const(x->t, bits, 0));
  }
}

static bool sets_owner(const LowerRow *row) {
  for (int i = 0; i < LOWER_CHANGES; i++)
    if (row->changes[i].kind == CHANGE_SET && row->changes[i].ghost == GHOST_OWNER &&
        row->changes[i].term == TERM_SELF)
      return true;
  return false;
}

static void change(const Operation *o, CircHere *s, const LowerRow *row,
                   const LowerChange *c) {
  CircMaker *x = o->x;
  CircObject *y = whose(o, c->whose);
  if (c->kind == CHANGE_NONE || !y) return;
  if (c->kind == CHANGE_RESET) {
    set_all(o, s, y, false);
    return;
  }
  bool adds = c->kind == CHANGE_ADD;
  Term by = term_const(x->t, 32, (uint64_t)(int64_t)c->number);
  if (c->term == TERM_OPERAND)
    by = term_fit(x->t, circ_value(x, s, o->step->frame, o->e->b), 32);
  switch ((Ghost)c->ghost) {
  case GHOST_OWNER: {
    Term taken = term_bool(x->t, c->term == TERM_SELF);
    set_shared(o, s, y, GHOST_OWNER, taken);
    if (y->owned && y->kind == SYNC_LOCK) set_local(o, s, y, GHOST_OWNER, taken);
    break;
  }
  case GHOST_COUNT:
    if (!y->counted) break;
    if (adds && !sets_owner(row)) /* who takes it anew has it once */
      by = term_add(x->t, circ_get(x, s, circ_ghost_local(x, y, GHOST_COUNT)), by);
    set_local(o, s, y, GHOST_COUNT, by);
    break;
  case GHOST_READS:
    by = term_add(x->t, circ_get(x, s, circ_ghost_local(x, y, GHOST_READS)), by);
    set_local(o, s, y, GHOST_READS, by);
    break;
  case GHOST_READERS:
  case GHOST_VALUE:
    if (adds)
      by = term_add(x->t, circ_get(x, s, circ_ghost_shared(x, y, (Ghost)c->ghost)), by);
    set_shared(o, s, y, (Ghost)c->ghost, by);
    break;
  case GHOST_DONE: set_shared(o, s, y, GHOST_DONE, term_bool(x->t, true)); break;
  case GHOST_TYPE: /* these are not followed, or never change */
  case GHOST_ROBUST:
  case GHOST_WAITERS:
  case GHOST_SIZE:
  case GHOST_MISSING:
  case GHOST_KNOWN:
  case GHOST_ENDED:
  case GHOST_DETACHED:
  case GHOST_JOINED:
  case GHOST_CANCEL:
  case GHOST_ALL: break;
  }
}

/* ---- rows ---- */

static void set_result(const Operation *o, CircHere *s, const LowerRow *row) {
  CircMaker *x = o->x;
  if (!o->e->dst || o->step->kind != STEP_EDGE) return;
  uint32_t bits = vec_at(&x->p->locals, o->e->dst)->bits;
  Term value = 0;
  if (row && row->end == ENDS_RESULT) {
    SyncReturn r = sync_return(x->p, o->e, (SyncOutcome)row->outcome, row->error);
    if (r.has_value) value = term_const(x->t, bits, (uint64_t)r.value);
  }
  circ_put_local(x, s, o->step->frame, o->e->dst,
                 value ? value : circ_any(x, bits, "result"));
}

/* Of a lock that is followed without its owner all that is open is said by the row for its owner. */
static bool is_of_interest(const Operation *o, const LowerRow *row) {
  if (row->end == ENDS_CANCELLED) return false;
  if (row->end != ENDS_UNDEFINED) return true;
  const CircObject *y = o->e->op == OP_WAIT ? o->lock : o->object;
  return y && y->owned;
}

static bool takes_row(const Operation *o, const LowerRow *row, unsigned phases,
                      LowerCause cause) {
  for (unsigned p = 1; p <= LOWER_RUNS; p <<= 1)
    if ((phases & p) && lower_fits(row, o->e, (LowerPhase)p, cause))
      return is_of_interest(o, row);
  return false;
}

/* It comes back without having taken or changed anything. */
static bool fails(const LowerRow *row) {
  return row->end == ENDS_RESULT && row->outcome != RESULT_OK &&
         row->outcome != RESULT_SPECIAL && row->changes[0].kind == CHANGE_NONE;
}

static bool is_about_others(const LowerGuard *g) {
  bool shared =
      g->ghost == GHOST_OWNER || g->ghost == GHOST_READERS || g->ghost == GHOST_VALUE;
  return (g->whose == OF_A || g->whose == OF_LOCK) && shared && g->term != TERM_SELF;
}

/* All rows of these phases as branches: *ret_on of those that end the operation, *ret_next of those
 * after which it goes on in phase `next`. */
static void take_rows(const Operation *o, const CircHere *s, unsigned phases,
                      LowerCause cause, unsigned next, CircHere *ret_on,
                      CircHere *ret_next) {
  CircMaker *x = o->x;
  uint32_t count;
  const LowerRow *rows = lower_rows((OpKind)o->e->op, &count);
  VEC(CircHere) on = {0}, more = {0};
  for (uint32_t i = 0; i < count; i++) {
    const LowerRow *row = &rows[i];
    bool goes_on = row->end == ENDS_NOT;
    if (!takes_row(o, row, phases, cause) || (goes_on && !(row->next & next))) continue;
    CircHere branch;
    circ_here_copy(s, &branch);
    for (int g = 0; g < LOWER_GUARDS; g++)
      if (!fails(row) || !is_about_others(&row->guards[g]))
        circ_assume(x, &branch, guard_holds(o, s, &row->guards[g]));
    if (term_is_false(x->t, branch.guard)) {
      circ_here_free(&branch);
      continue;
    }
    for (int c = 0; c < LOWER_CHANGES; c++) change(o, &branch, row, &row->changes[c]);
    CircObject *open = o->e->op == OP_WAIT ? o->lock : o->object;
    if (row->end == ENDS_UNDEFINED && open) set_all(o, &branch, open, true);
    if (!goes_on) set_result(o, &branch, row);
    if (goes_on)
      vec_push(&more, branch);
    else
      vec_push(&on, branch);
  }
  *ret_on = circ_here_join(x, on.data, on.len);
  *ret_next = circ_here_join(x, more.data, more.len);
  vec_free(&on);
  vec_free(&more);
}

/* ---- operations ---- */

static void plain(const Operation *o, CircHere *s) {
  CircHere on = {0}, next = {0};
  unsigned phases = LOWER_START;
  if (o->e->attempt == ATTEMPT_TIMED) phases |= LOWER_LATE;
  take_rows(o, s, phases, CAUSE_STEP, 0, &on, &next);
  circ_here_free(s);
  *s = on;
}

/* The flag is found done, or (ENTER) the function begins to run. */
static void once(const Operation *o, CircHere *s) {
  CircHere on = {0}, runs = {0};
  bool enters = o->step->kind == STEP_ENTER;
  take_rows(o, s, LOWER_START, CAUSE_STEP, LOWER_RUNS, &on, &runs);
  circ_here_free(s);
  *s = enters ? runs : on;
  circ_here_free(enters ? &on : &runs);
}

/* Passes with any of its results. */
static void barrier_wait(const Operation *o, CircHere *s) {
  static const LowerRow ways[] = {{.end = ENDS_RESULT, .outcome = RESULT_OK},
                                  {.end = ENDS_RESULT, .outcome = RESULT_SPECIAL}};
  CircHere both[2];
  for (int i = 0; i < 2; i++) {
    circ_here_copy(s, &both[i]);
    set_result(o, &both[i], &ways[i]);
  }
  circ_here_free(s);
  *s = circ_here_join(o->x, both, 2);
}

/* Lets go of the lock and stays; takes it again later, whoever woke it. */
static void wait(const Operation *o, CircHere *s) {
  CircMaker *x = o->x;
  CircHere on = {0}, stays = {0}, back = {0}, none = {0};
  unsigned awake = LOWER_WOKEN;
  if (o->e->attempt == ATTEMPT_TIMED) awake |= LOWER_LATE;
  if (!o->lock) { /* nothing is let go */
    take_rows(o, s, LOWER_START | awake, CAUSE_STEP, 0, &on, &none);
    circ_here_free(s);
    *s = on;
    return;
  }
  CircVar half = circ_half(x);
  Term sleeps = circ_get(x, s, half);
  CircHere begins, wakes;
  circ_here_copy(s, &begins);
  circ_here_copy(s, &wakes);
  circ_assume(x, &begins, term_not(x->t, sleeps));
  circ_assume(x, &wakes, sleeps);
  take_rows(o, &begins, LOWER_START, CAUSE_STEP, LOWER_SLEEPS, &on, &stays);
  take_rows(o, &wakes, awake, CAUSE_STEP, 0, &back, &none);
  if (stays.guard) circ_put(x, &stays, half, term_bool(x->t, true));
  if (back.guard) circ_put(x, &back, half, term_bool(x->t, false));
  if (x->stay)
    circ_here_merge(x, &x->leaves[LEAVES_STAYS], &stays);
  else
    circ_here_free(&stays);
  circ_here_merge(x, &on, &back); /* asleep or not: they exclude each other */
  circ_here_free(&begins);
  circ_here_free(&wakes);
  circ_here_free(s);
  *s = on;
}

void circ_sync(CircMaker *x, CircHere *s, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  Operation o = {.x = x, .e = e, .step = step};
  SyncKind kind = op_sync_kind((OpKind)e->op);
  if (kind == SYNC_LOCK || kind == SYNC_SEM || kind == SYNC_ONCE)
    o.object = circ_object_of(x, e->a);
  if (e->op == OP_WAIT) o.lock = circ_object_of(x, e->b);
  circ_spoil(x, s, step, NULL);
  if (e->op == OP_ONCE)
    once(&o, s);
  else if (e->op == OP_WAIT)
    wait(&o, s);
  else if (e->op == OP_BARRIER_WAIT)
    barrier_wait(&o, s);
  else
    plain(&o, s);
}

void circ_once_left(CircMaker *x, CircHere *s, const Edge *e) {
  CircObject *y = circ_object_of(x, e->a);
  if (y) circ_put(x, s, circ_ghost_shared(x, y, GHOST_OWNER), term_bool(x->t, false));
}

void circ_once_returns(CircMaker *x, CircHere *s, const Edge *e) {
  CircObject *y = circ_object_of(x, e->a);
  circ_once_left(x, s, e);
  if (y) circ_put(x, s, circ_ghost_shared(x, y, GHOST_DONE), term_bool(x->t, true));
}
