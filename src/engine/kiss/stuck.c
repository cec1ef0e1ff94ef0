/* Deadlocks: nobody can go on, or some wait for each other. See rounds_internal.h.
 *
 * The second is a set of threads that the solver chooses: each of them waits for a lock, a join or a
 * one-time initialiser of one of the set, or of a thread that has ended. What threads outside do is no
 * matter, so they may as well run for ever. */
#include "engine/kiss/rounds_internal.h"

#include "base/mem.h"

static bool may_wait(const Rounds *r, const SeqEvent *e) {
  return e->kind == SEQ_SYNC &&
         op_has(program_edge(r->seq->program, e->edge)->op, OP_BLOCKS);
}

/* The thread stands before the event, of which no row can be taken. */
static Term waits_at(Rounds *r, uint32_t thread, uint32_t event) {
  return term_and(r->t, rounds_is_next(r, thread, event),
                  term_not(r->t, ghosts_enabled(r, thread, event)));
}

/* A thread may wait in the middle of a unit, where nobody sees it stand: in an atomic section. Library
 * functions may wait for a stream that is locked. Or a thread may turn round for ever before what others
 * do not do, which is left out of the unwound threads. */
bool rounds_hides_waits(const Rounds *r) {
  for (uint32_t t = 0; t < r->seq->threads.len; t++)
    for (uint32_t i = 0; i < r->seq->threads.data[t].events.len; i++) {
      const SeqEvent *e = &r->seq->threads.data[t].events.data[i];
      if (!may_wait(r, e)) continue;
      if (program_edge(r->seq->program, e->edge)->lock == LOCK_RECURSIVE) return true;
      if (i && r->threads[t].unit_of[i] == r->threads[t].unit_of[i - 1]) return true;
    }
  return r->seq->idles;
}

/* Every thread has ended, was never born, or stands before something that it cannot do. */
Term rounds_stuck_all(Rounds *r) {
  Terms *t = r->t;
  Term all = term_not(t, r->exited), some = term_bool(t, false);
  for (uint32_t i = 0; i < r->seq->threads.len; i++) {
    const SeqThread *thread = &r->seq->threads.data[i];
    Term fine = i ? term_not(t, ghosts_known(r, i)) : term_bool(t, false);
    for (uint32_t k = 0; k < thread->events.len; k++) {
      const SeqEvent *e = &thread->events.data[k];
      if (e->kind == SEQ_END) fine = term_or(t, fine, rounds_performed(r, i, k));
      if (!may_wait(r, e)) continue;
      Term waits = waits_at(r, i, k);
      some = term_or(t, some, waits);
      fine = term_or(t, fine, waits);
    }
    all = term_and(t, all, fine);
  }
  return term_and(t, all, some);
}

static Term is_thread(Rounds *r, Term ghost, uint32_t thread) {
  return term_eq(r->t, ghost, term_const(r->t, GHOST_NARROW, thread + 1));
}

/* `other` has what the event wants, and nobody but `other` can give it. */
static Term holds(Rounds *r, const SeqEvent *e, const Subject *s, uint32_t other) {
  const Edge *edge = program_edge(r->seq->program, e->edge);
  Terms *t = r->t;
  if (edge->op == OP_JOIN) return term_bool(t, s->other == other);
  if (edge->op != OP_LOCK && edge->op != OP_ONCE) return term_bool(t, false);
  Term owns = is_thread(r, ghost_get(r, GHOST_OWNER, s->object, NONE), other);
  if (edge->op == OP_ONCE || edge->lock != LOCK_RW || edge->mode == MODE_SHARED)
    return owns;
  Term reads = ghost_get(r, GHOST_READS, s->object, other);
  return term_or(t, owns, term_not(t, term_eq(t, reads, term_const(t, GHOST_NARROW, 0))));
}

/* One of those who are lost has what the thread waits for at the event. */
static Term waits_for_lost(Rounds *r, uint32_t thread, uint32_t event, const Term *lost) {
  const SeqEvent *e = &r->seq->threads.data[thread].events.data[event];
  Terms *t = r->t;
  Subjects subjects = {0};
  Term some = term_bool(t, false), left;
  subjects_of(r, e, &subjects, &left);
  for (uint32_t i = 0; i < subjects.len; i++)
    for (uint32_t u = 0; u < r->seq->threads.len; u++) {
      Term held = holds(r, e, &subjects.data[i], u);
      some = term_or(t, some,
                     term_and(t, subjects.data[i].guard, term_and(t, held, lost[u])));
    }
  vec_free(&subjects);
  return some;
}

Term rounds_stuck_circle(Rounds *r) {
  Terms *t = r->t;
  uint32_t n = r->seq->threads.len;
  Term *in = mem_alloc_zero((n + 1) * sizeof *in);
  Term *lost = mem_alloc_zero((n + 1) * sizeof *lost);
  Term some = term_bool(t, false);
  for (uint32_t i = 0; i < n; i++) {
    Term ended = term_eq(t, ghost_get(r, GHOST_ENDED, NO_OBJECT, i),
                         term_const(t, GHOST_NARROW, 1));
    in[i] = term_var(t, 1, "lost");
    lost[i] = term_or(t, in[i], ended);
    some = term_or(t, some, in[i]);
  }
  for (uint32_t i = 0; i < n; i++) {
    const SeqThread *thread = &r->seq->threads.data[i];
    Term waits = term_bool(t, false);
    for (uint32_t k = 0; k < thread->events.len; k++) {
      if (!may_wait(r, &thread->events.data[k])) continue;
      Term here = waits_at(r, i, k);
      if (!term_is_false(t, here))
        waits = term_or(t, waits, term_and(t, here, waits_for_lost(r, i, k, lost)));
    }
    rounds_fact(r, in[i], waits);
  }
  mem_free(in);
  mem_free(lost);
  return term_and(t, some, term_not(t, r->exited));
}
