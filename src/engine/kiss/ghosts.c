/* Synchronisation by the rows of the lowering, over terms. See rounds_internal.h.
 *
 * A row that an event takes asks for its guards before, and changes variables after; all changes of
 * one event are computed from the values before it. */
#include "engine/kiss/rounds_internal.h"

#include "base/mem.h"

enum { NARROW = GHOST_NARROW, WIDE = GHOST_WIDE };

/* ---- rows ---- */

/* The object and thread that the variable of a guard or a change belongs to. */
static bool owner_of(const Subject *s, uint32_t thread, uint8_t whose, uint8_t ghost,
                     uint32_t *ret_object, uint32_t *ret_thread) {
  *ret_object = NO_OBJECT;
  *ret_thread = NONE;
  switch ((LowerWhose)whose) {
  case OF_A: *ret_object = s->object; break;
  case OF_LOCK: *ret_object = s->lock; break;
  case OF_THREAD: *ret_thread = s->other; break;
  case OF_SELF: *ret_thread = thread; break;
  case OF_SECTION:
  case OF_TERM: return false;
  }
  if (ghost == GHOST_READS) *ret_thread = thread;
  return true;
}

static Term type_of_kind(Rounds *r, Term kind) {
  Term low = term_extract(r->t, kind, 0, 2);
  Term one = term_eq(r->t, low, term_const(r->t, 2, 1));
  Term two = term_eq(r->t, low, term_const(r->t, 2, 2));
  return term_ite(r->t, one, term_const(r->t, NARROW, MUTEX_RECURSIVE),
                  term_ite(r->t, two, term_const(r->t, NARROW, MUTEX_ERRORCHECK),
                           term_const(r->t, NARROW, MUTEX_NORMAL)));
}

static Term term_value(Rounds *r, const SeqEvent *e, const Subject *s, uint32_t thread,
                       uint8_t term, int32_t number, uint32_t bits) {
  const Edge *edge = program_edge(r->seq->program, e->edge);
  switch ((LowerTerm)term) {
  case TERM_NUMBER: return term_const(r->t, bits, (uint64_t)(int64_t)number);
  case TERM_SELF: return term_const(r->t, bits, thread + 1);
  case TERM_THREAD: return term_const(r->t, bits, s->other + 1);
  case TERM_OPERAND:
    return term_fit(r->t, e->operand ? e->operand : term_const(r->t, bits, 0), bits);
  case TERM_TYPE:
    if (edge->lock != LOCK_MUTEX)
      return term_const(r->t, bits, lock_type_of_init((LockKind)edge->lock, 0));
    return term_fit(
        r->t, e->operand ? type_of_kind(r, e->operand) : term_const(r->t, NARROW, 0),
        bits);
  case TERM_ROBUST: return term_const(r->t, bits, ROBUST_NOT);
  case TERM_SIZE: return term_fit(r->t, ghost_get(r, GHOST_SIZE, s->object, NONE), bits);
  }
  return term_const(r->t, bits, 0);
}

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

static Term guard_holds(Rounds *r, const SeqEvent *e, const Subject *s, uint32_t thread,
                        const LowerGuard *g) {
  uint32_t object, owner;
  if (g->relation == REL_NONE) return term_bool(r->t, true);
  if (g->whose == OF_TERM) {
    Term a = term_value(r, e, s, thread, g->ghost, 0, WIDE);
    Term b = term_value(r, e, s, thread, g->term, g->number, WIDE);
    return compare(r->t, (LowerRelation)g->relation, a, b);
  }
  if (!owner_of(s, thread, g->whose, g->ghost, &object, &owner))
    return term_bool(r->t, true);
  Term a = ghost_get(r, g->ghost, object, owner);
  Term b = term_value(r, e, s, thread, g->term, g->number, ghost_width(g->ghost));
  return compare(r->t, (LowerRelation)g->relation, a, b);
}

/* A wait for a condition may end for no reason. */
static bool may_wake_by_itself(const Rounds *r, const SeqEvent *e, const LowerRow *row) {
  return r->seq->whole && (row->phases & LOWER_WOKEN) &&
         program_edge(r->seq->program, e->edge)->op == OP_WAIT;
}

/* What is tried, or waited for until some time, may fail for no reason: nothing else orders who finds
 * a lock taken behind the one that took it. */
static bool may_just_fail(const Rounds *r, const LowerRow *row) {
  return r->seq->whole && row->end == ENDS_RESULT &&
         (row->outcome == RESULT_BUSY || row->outcome == RESULT_TIMEOUT) &&
         row->changes[0].kind == CHANGE_NONE;
}

/* All guards of the row, and where in its sleep the thread must be. With `alone`, it may wake up for no
 * reason where the program may. */
static Term row_holds(Rounds *r, const SeqEvent *e, const Subject *s, uint32_t thread,
                      const LowerRow *row, bool alone) {
  Term all = term_bool(r->t, true);
  if (may_just_fail(r, row)) return all;
  for (int i = 0; i < LOWER_GUARDS; i++)
    all = term_and(r->t, all, guard_holds(r, e, s, thread, &row->guards[i]));
  if (e->phase != LOWER_WOKEN) return all;
  Term phase = ghost_get(r, GHOST_PHASE, NO_OBJECT, thread);
  Term asleep = term_const(r->t, NARROW, PHASE_ASLEEP);
  Term woken = term_const(r->t, NARROW, PHASE_WOKEN_UP);
  if (e->spurious) woken = term_ite(r->t, e->spurious, asleep, woken);
  Term is = term_eq(r->t, phase, row->phases & LOWER_WOKEN ? woken : asleep);
  if (alone && may_wake_by_itself(r, e, row)) /* it sleeps, or was woken */
    is = term_not(r->t, term_eq(r->t, phase, term_const(r->t, NARROW, PHASE_AWAKE)));
  return term_and(r->t, all, is);
}

/* A change that waits until all of an event are computed. */
typedef struct {
  uint32_t ghost, object, thread;
  Term condition, value;
} Change;

typedef VEC(Change) Changes;

static void add_change(Rounds *r, Changes *all, uint32_t ghost, uint32_t object,
                       uint32_t thread, Term condition, Term value) {
  (void)r;
  vec_push(all, (Change){ghost, object, thread, condition, value});
}

static void reset_object(Rounds *r, uint32_t object, Term condition, Changes *all) {
  for (uint32_t g = 0; g < GHOST_ALL; g++) {
    if (g >= GHOST_KNOWN || g == GHOST_READS) continue;
    add_change(r, all, g, object, NONE, condition, term_const(r->t, ghost_width(g), 0));
  }
}

static void row_changes(Rounds *r, const SeqEvent *e, const Subject *s, uint32_t thread,
                        const LowerRow *row, Term condition, Changes *all) {
  for (int i = 0; i < LOWER_CHANGES; i++) {
    const LowerChange *c = &row->changes[i];
    uint32_t object, owner;
    if (c->kind == CHANGE_NONE) continue;
    if (!owner_of(s, thread, c->whose, c->kind == CHANGE_RESET ? GHOST_ALL : c->ghost,
                  &object, &owner))
      continue;
    if (c->kind == CHANGE_RESET) {
      reset_object(r, object, condition, all);
      continue;
    }
    Term value = term_value(r, e, s, thread, c->term, c->number, ghost_width(c->ghost));
    if (c->kind == CHANGE_ADD)
      value = term_add(r->t, ghost_get(r, c->ghost, object, owner), value);
    add_change(r, all, c->ghost, object, owner, condition, value);
  }
}

/* ---- sleeping and waking ---- */

static Term sleeps_at(Rounds *r, uint32_t thread, uint32_t object) {
  Term asleep = term_eq(r->t, ghost_get(r, GHOST_PHASE, NO_OBJECT, thread),
                        term_const(r->t, NARROW, PHASE_ASLEEP));
  Term here = term_eq(r->t, ghost_get(r, GHOST_PLACE, NO_OBJECT, thread),
                      term_const(r->t, WIDE, object));
  return term_and(r->t, asleep, here);
}

static void wake(Rounds *r, uint32_t thread, uint32_t event, const Subject *s,
                 const LowerRow *row, Term condition, Changes *all) {
  Terms *t = r->t;
  RoundsThread *mine = &r->threads[thread];
  if (row->wake != WAKE_ONE && row->wake != WAKE_ALL) return;
  uint32_t n = r->seq->threads.len;
  if (row->wake == WAKE_ONE && !mine->first_pick[event]) {
    if (!mine->picks.len) vec_push(&mine->picks, 0);
    mine->first_pick[event] = mine->picks.len;
    for (uint32_t u = 0; u < n; u++) vec_push(&mine->picks, term_var(t, 1, "wakes"));
  }
  Term some = term_bool(t, false);
  for (uint32_t u = 0; u < n; u++) {
    if (u == thread) continue;
    Term sleeping = sleeps_at(r, u, s->object);
    Term woken = sleeping;
    if (row->wake == WAKE_ONE) {
      Term pick = mine->picks.data[mine->first_pick[event] + u];
      rounds_fact(r, term_and(t, condition, pick), sleeping);
      rounds_fact(r, term_and(t, condition, pick), term_not(t, some));
      some = term_or(t, some, pick);
      woken = pick;
    }
    add_change(r, all, GHOST_PHASE, NO_OBJECT, u, term_and(t, condition, woken),
               term_const(t, NARROW, PHASE_WOKEN_UP));
  }
  if (row->wake == WAKE_ONE) rounds_fact(r, condition, some);
}

static void fall_asleep_or_end(Rounds *r, const SeqEvent *e, const Subject *s,
                               uint32_t thread, const LowerRow *row, Term condition,
                               Changes *all) {
  Terms *t = r->t;
  if (row->end == ENDS_NOT && row->next == LOWER_SLEEPS) {
    add_change(r, all, GHOST_PHASE, NO_OBJECT, thread, condition,
               term_const(t, NARROW, PHASE_ASLEEP));
    add_change(r, all, GHOST_PLACE, NO_OBJECT, thread, condition,
               term_const(t, WIDE, s->object));
  }
  if (e->phase != LOWER_WOKEN) return;
  add_change(r, all, GHOST_PHASE, NO_OBJECT, thread, condition,
             term_const(t, NARROW, PHASE_AWAKE));
  if (row->phases & LOWER_WOKEN) {
    bool alone = may_wake_by_itself(r, e, row);
    if (!alone && !e->spurious) return;
    Term phase = ghost_get(r, GHOST_PHASE, NO_OBJECT, thread);
    Term slept = term_eq(t, phase, term_const(t, NARROW, PHASE_ASLEEP));
    condition = term_and(t, condition, alone ? slept : e->spurious);
  }
  /* Its time is over, or nobody woke it: it is no longer among those who wait. */
  Term waiters = ghost_get(r, GHOST_WAITERS, s->object, NONE);
  add_change(r, all, GHOST_WAITERS, s->object, NONE, condition,
             term_sub(t, waiters, term_const(t, NARROW, 1)));
}

/* ---- the event ---- */

static void outcome_value(Rounds *r, const SeqEvent *e, const Subject *s,
                          Term condition) {
  const Edge *edge = program_edge(r->seq->program, e->edge);
  /* That one sees a value of a semaphore orders nothing: any other may be seen. */
  if (!e->value || (edge->op == OP_SEM_VALUE && r->seq->whole)) return;
  Term is = edge->op == OP_JOIN
                ? r->seq->threads.data[s->other].result
                : term_zext(r->t, ghost_get(r, GHOST_VALUE, s->object, NONE), 64);
  if (is) rounds_fact(r, condition, term_eq(r->t, e->value, is));
}

static void rows_exclude_each_other(Rounds *r, const SeqEvent *e) {
  Term some = term_bool(r->t, false);
  for (uint32_t i = 0; i < e->row_count; i++) {
    Term chosen = r->seq->rows.data[e->first_row + i].chosen;
    rounds_fact(r, chosen, term_not(r->t, some));
    some = term_or(r->t, some, chosen);
  }
}

void ghosts_perform(Rounds *r, uint32_t thread, uint32_t event, Term performed) {
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  Subjects subjects = {0};
  Changes changes = {0};
  Term some = term_bool(r->t, false), any = term_bool(r->t, false), left;
  subjects_of(r, e, &subjects, &left);
  rows_exclude_each_other(r, e);
  for (uint32_t k = 0; k < subjects.len; k++) {
    const Subject *s = &subjects.data[k];
    any = term_or(r->t, any, s->guard);
    Term here = term_and(r->t, performed, s->guard);
    r->here = here;
    outcome_value(r, e, s, here);
    for (uint32_t i = 0; i < e->row_count; i++) {
      const SeqRow *row = &r->seq->rows.data[e->first_row + i];
      Term taken = term_and(r->t, here, row->chosen);
      if (term_is_false(r->t, taken)) continue;
      rounds_fact(r, taken, row_holds(r, e, s, thread, row->row, true));
      row_changes(r, e, s, thread, row->row, taken, &changes);
      wake(r, thread, event, s, row->row, taken, &changes);
      fall_asleep_or_end(r, e, s, thread, row->row, taken, &changes);
    }
  }
  for (uint32_t i = 0; i < e->row_count; i++)
    some = term_or(r->t, some, r->seq->rows.data[e->first_row + i].chosen);
  rounds_lose(r, term_and(r->t, performed, left));
  rounds_fact(r, performed, term_or(r->t, left, term_and(r->t, any, some)));
  for (uint32_t i = 0; i < changes.len; i++) {
    const Change *c = &changes.data[i];
    ghost_set(r, c->ghost, c->object, c->thread, c->condition, c->value);
  }
  vec_free(&subjects);
  vec_free(&changes);
}

Term ghosts_enabled(Rounds *r, uint32_t thread, uint32_t event) {
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  Subjects subjects = {0};
  Term any = term_bool(r->t, false), left;
  subjects_of(r, e, &subjects, &left);
  for (uint32_t k = 0; k < subjects.len; k++)
    for (uint32_t i = 0; i < e->row_count; i++) {
      Term holds = row_holds(r, e, &subjects.data[k], thread,
                             r->seq->rows.data[e->first_row + i].row, false);
      any = term_or(r->t, any, term_and(r->t, subjects.data[k].guard, holds));
    }
  vec_free(&subjects);
  return any;
}

Term ghosts_known(Rounds *r, uint32_t thread) {
  return term_eq(r->t, ghost_get(r, GHOST_KNOWN, NO_OBJECT, thread),
                 term_const(r->t, NARROW, 1));
}

void ghosts_create(Rounds *r, uint32_t thread, Term performed) {
  ghost_set(r, GHOST_KNOWN, NO_OBJECT, thread, performed, term_const(r->t, NARROW, 1));
}

void ghosts_end(Rounds *r, uint32_t thread, Term performed) {
  ghost_set(r, GHOST_ENDED, NO_OBJECT, thread, performed, term_const(r->t, NARROW, 1));
}
