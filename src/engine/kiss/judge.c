/* The checker of proofs about all schedules. See prove.h.
 *
 * It looks for nothing: the program is unwound to the bounds that the proof names, all schedules are
 * written down by plain_order.c, and one question is asked of the second solver: is anything reached
 * that was cut off, or that is unknown, or that violates one of the obligations? */
#include "engine/kiss/kiss.h"
#include "engine/kiss/prove.h"
#include "engine/live.h"

#include "base/clock.h"
#include "base/limit.h"
#include "base/proc.h"

#include <unistd.h>

typedef struct {
  SeqProgram *seq;
  Rounds *rounds;
  Terms *t;
} Judge;

static Term or_next_to_each_other(Judge *j, uint32_t t, uint32_t i, uint32_t u,
                                  uint32_t k, Term some) {
  const SeqEvent *a = &j->seq->threads.data[t].events.data[i];
  const SeqEvent *b = &j->seq->threads.data[u].events.data[k];
  bool harmless = (a->kind == SEQ_READ && b->kind == SEQ_READ) ||
                  (a->atomic && b->atomic) || (a->inside && b->inside);
  if (harmless) return some;
  Term both =
      term_and(j->t, rounds_is_next(j->rounds, t, i), rounds_is_next(j->rounds, u, k));
  return term_or(j->t, some, term_and(j->t, both, rounds_overlap(j->rounds, a, b)));
}

static bool touches_memory(const SeqEvent *e) {
  switch ((SeqKind)e->kind) {
  case SEQ_READ:
  case SEQ_WRITE:
  case SEQ_UPDATE:
  case SEQ_FREE:
  case SEQ_TOUCH: return true;
  case SEQ_BEGIN:
  case SEQ_SYNC:
  case SEQ_ASSERT:
  case SEQ_EXIT:
  case SEQ_END: break;
  }
  return false;
}

static bool is_of(const KissQuestion *q, EdgeId edge) {
  for (uint32_t i = 0; i < q->edge_count; i++)
    if (q->edges[i] == edge) return true;
  return false;
}

static Term or_races(Judge *j, const KissQuestion *q, Term some) {
  for (uint32_t t = 0; t < j->seq->threads.len; t++)
    for (uint32_t u = t + 1; u < j->seq->threads.len; u++)
      for (uint32_t i = 0; i < j->seq->threads.data[t].events.len; i++)
        for (uint32_t k = 0; k < j->seq->threads.data[u].events.len; k++) {
          const SeqEvent *a = &j->seq->threads.data[t].events.data[i];
          const SeqEvent *b = &j->seq->threads.data[u].events.data[k];
          if (touches_memory(a) && touches_memory(b) && is_of(q, a->edge) &&
              is_of(q, b->edge))
            some = or_next_to_each_other(j, t, i, u, k, some);
        }
  return some;
}

static Term or_failures(Judge *j, const KissQuestion *q, Term some) {
  for (uint32_t t = 0; t < j->seq->threads.len; t++)
    for (uint32_t i = 0; i < j->seq->threads.data[t].events.len; i++) {
      const SeqEvent *e = &j->seq->threads.data[t].events.data[i];
      if (e->kind != SEQ_ASSERT || !is_of(q, e->edge)) continue;
      Term fails =
          term_and(j->t, rounds_performed(j->rounds, t, i), term_not(j->t, e->value));
      some = term_or(j->t, some, fails);
    }
  return some;
}

static Term or_deadlocks(Judge *j, Term some) {
  if (rounds_hides_waits(j->rounds)) return term_bool(j->t, true);
  some = term_or(j->t, some, rounds_stuck(j->rounds));
  return term_or(j->t, some, rounds_circle(j->rounds));
}

static Term all_that_must_not_be(Judge *j, const KissProofRequest *request) {
  Term some = rounds_lost(j->rounds);
  for (uint32_t t = 0; t < j->seq->threads.len; t++)
    for (uint32_t i = 0; i < j->seq->threads.data[t].cuts.len; i++)
      some = term_or(j->t, some, rounds_cut(j->rounds, t, i));
  for (uint32_t i = 0; i < request->question_count; i++) {
    const KissQuestion *q = &request->questions[i];
    some = q->stuck  ? or_deadlocks(j, some)
           : q->race ? or_races(j, q, some)
                     : or_failures(j, q, some);
  }
  return some;
}

static Judgement ask(Judge *j, Solver *solver, const KissProofRequest *request,
                     const char **why) {
  Term question = all_that_must_not_be(j, request);
  SolveLimit limit = {.deadline = request->deadline, .stop = request->stop};
  limit_address_space(limit_child_bytes());
  SolveAnswer answer = solver_check(solver, &question, 1, &limit);
  limit_address_space(0);
  SolverStats stats = solver_stats(solver);
  log_put(request->log, LOG_INFO, "kiss: checker: %u threads, %u terms, %.3f s",
          j->seq->threads.len, terms_count(j->t), stats.seconds);
  switch (answer) {
  case SOLVE_UNSAT: return JUDGE_ACCEPTED;
  case SOLVE_SAT: *why = "a schedule violates what is proved"; return JUDGE_REJECTED;
  case SOLVE_UNKNOWN: break;
  }
  *why = "the time was over before the proof was checked";
  return JUDGE_STOPPED;
}

static Judgement judge(Judge *j, const KissProofRequest *request, const char **why) {
  Err err = {0};
  if (j->seq->gave_up || j->seq->partial) {
    *why = j->seq->gave_up ? j->seq->gave_up : j->seq->partial;
    return clock_now() >= request->deadline ? JUDGE_STOPPED : JUDGE_REJECTED;
  }
  j->t = j->seq->terms;
  Solver *solver = solver_new(j->t, SOLVER_SMT, &err);
  *why = "the part with the second solver is missing";
  if (!solver) return JUDGE_STOPPED;
  KissFamily family = {.rounds = 1, .all = true, .plain = true};
  for (uint32_t i = 0; i < request->question_count; i++)
    family.stuck = family.stuck || request->questions[i].stuck;
  j->rounds = rounds_new(j->seq, solver, &family);
  Judgement judgement = JUDGE_STOPPED;
  *why = "the proof has more steps than its checker can compare";
  if (rounds_is_complete(j->rounds)) judgement = ask(j, solver, request, why);
  rounds_free(j->rounds);
  solver_free(solver);
  return judgement;
}

Judgement kiss_judge(const KissProofRequest *request, const KissProof *proof,
                     const char **ret_why) {
  Map more = {0};
  for (uint32_t i = 0; i < proof->loop_count && i < KISS_MOST_LOOPS; i++)
    map_put(&more, proof->loops[i].loop, proof->loops[i].times);
  SeqRequest unwind = {.program = request->program,
                       .pointsto = request->flow->pointsto,
                       .shared = request->shared,
                       .bounds = {.turns = proof->turns,
                                  .sure_turns = proof->sure_turns,
                                  .depth = proof->depth,
                                  .threads = proof->threads,
                                  .events = proof->events,
                                  .more = &more},
                       .whole = true,
                       .deadline = request->deadline};
  *ret_why = NULL;
  Judge j = {.seq = seq_unwind(&unwind)};
  Judgement judgement = judge(&j, request, ret_why);
  seq_free(j.seq);
  map_free(&more);
  return judgement;
}

/* ---- in a child ---- */

typedef struct {
  const KissProofRequest *request;
  const KissProof *proof;
} Case;

typedef struct {
  Judgement judgement;
  char why[128];
} Opinion;

static int judge_in_child(int fd, void *data) {
  const Case *c = data;
  const char *why;
  KissProofRequest request = *c->request;
  request.log = &live_log;
  Opinion o = {.judgement = kiss_judge(&request, c->proof, &why)};
  if (why) strncpy(o.why, why, sizeof o.why - 1);
  proc_write_all(fd, &o, sizeof o);
  return 0;
}

Judgement kiss_judge_apart(const KissProofRequest *request, const KissProof *proof,
                           Arena *arena, const char **ret_why) {
  /* Until the child is ended from outside: it keeps the time by itself. */
  const double grace = 0.5;
  Case c = {request, proof};
  Opinion o = {.judgement = JUDGE_STOPPED, .why = "the checker of the proof crashed"};
  ProcResult result = {0};
  const void *data;
  size_t size;
  int fd;
  double seconds = request->deadline - clock_now();
  *ret_why = "the time was over before the proof was checked";
  if (seconds <= 0) return JUDGE_STOPPED;
  Proc *proc = proc_fork_start(judge_in_child, &c, seconds + grace, 0, &fd);
  live_wait(&(Live){"kiss", request->log, NULL, request->stop}, proc, &result);
  if (fd >= 0 && proc_map_fd(fd, &data, &size)) {
    if (size == sizeof o) memcpy(&o, data, sizeof o);
    proc_unmap(data, size);
  }
  if (fd >= 0) close(fd);
  proc_result_free(&result);
  *ret_why = arena_strdup(arena, o.why);
  return o.judgement;
}
