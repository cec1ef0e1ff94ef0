/* Looking for proofs. See prove.h. */
#include "engine/kiss/prove.h"

#include "base/clock.h"
#include "base/limit.h"
#include "base/mem.h"
#include "engine/kiss/kiss.h"

#include <assert.h>

enum { MOST_SIZE = 3000000, MOST_RAISES = 8 };

typedef struct {
  const KissProofRequest *request;
  SeqProgram *seq;
  Rounds *rounds;
  Solver *solver;
  Terms *t;
  uint64_t effort;
  Map *more;
  Term *violated; /* by question: it is violated */
  bool *open;     /* by question: it may be */
  KissTargets targets;
  ProveObstacle obstacle;
} Prover;

/* ---- what must not happen ---- */

static bool is_access(const SeqEvent *e) {
  return (e->kind == SEQ_READ || e->kind == SEQ_WRITE || e->kind == SEQ_UPDATE ||
          e->kind == SEQ_FREE) &&
         !e->quiet;
}

static bool conflict(const SeqEvent *a, const SeqEvent *b) {
  return (a->kind != SEQ_READ || b->kind != SEQ_READ) && !(a->atomic && b->atomic) &&
         !(a->inside && b->inside);
}

static bool has_edge(const KissQuestion *q, EdgeId edge) {
  for (uint32_t i = 0; i < q->edge_count; i++)
    if (q->edges[i] == edge) return true;
  return false;
}

/* A way in which a question is violated. */
static void add_target(Prover *p, KissTarget target) {
  if (!term_is_false(p->t, target.holds)) vec_push(&p->targets, target);
}

static void add_races(Prover *p, const KissQuestion *q, uint32_t t, uint32_t i) {
  const SeqEvent *a = &p->seq->threads.data[t].events.data[i];
  for (uint32_t u = t + 1; u < p->seq->threads.len; u++)
    for (uint32_t k = 0; k < p->seq->threads.data[u].events.len; k++) {
      const SeqEvent *b = &p->seq->threads.data[u].events.data[k];
      if (!is_access(b) || !conflict(a, b) || !has_edge(q, b->edge)) continue;
      Term both = term_and(p->t, rounds_is_next(p->rounds, t, i),
                           rounds_is_next(p->rounds, u, k));
      both = term_and(p->t, both, rounds_overlap(p->rounds, a, b));
      add_target(p, (KissTarget){.kind = WITNESS_RACE,
                                 .threads = {t, u},
                                 .events = {i, k},
                                 .holds = both});
    }
}

/* In an execution of a bounded program everything comes to an end, or waits for ever. */
static Term stuck(Prover *p) {
  if (rounds_hides_waits(p->rounds)) return term_bool(p->t, true);
  Term some = term_or(p->t, rounds_stuck(p->rounds), rounds_circle(p->rounds));
  add_target(p, (KissTarget){.kind = WITNESS_DEADLOCK, .holds = some});
  return some;
}

static bool asks_for_stuck(const KissProofRequest *request) {
  for (uint32_t i = 0; i < request->question_count; i++)
    if (request->questions[i].stuck) return true;
  return false;
}

static Term violation(Prover *p, const KissQuestion *q) {
  uint32_t first = p->targets.len;
  if (q->stuck) return stuck(p);
  for (uint32_t t = 0; t < p->seq->threads.len; t++)
    for (uint32_t i = 0; i < p->seq->threads.data[t].events.len; i++) {
      const SeqEvent *e = &p->seq->threads.data[t].events.data[i];
      if (!has_edge(q, e->edge)) continue;
      if (q->race && is_access(e)) add_races(p, q, t, i);
      if (!q->race && e->kind == SEQ_ASSERT)
        add_target(p,
                   (KissTarget){.kind = WITNESS_ASSERT,
                                .threads = {t},
                                .events = {i},
                                .holds = term_and(p->t, rounds_performed(p->rounds, t, i),
                                                  term_not(p->t, e->value))});
    }
  Term some = term_bool(p->t, false);
  for (uint32_t i = first; i < p->targets.len; i++)
    some = term_or(p->t, some, p->targets.data[i].holds);
  return some;
}

/* ---- asking ---- */

static bool is_over(const Prover *p) {
  return clock_now() >= p->request->deadline || (p->request->stop && *p->request->stop);
}

static SolveAnswer ask(Prover *p, Term question) {
  SolveLimit limit = {
      .deadline = p->request->deadline, .effort = p->effort, .stop = p->request->stop};
  SolveAnswer answer;
  limit_address_space(limit_child_bytes());
  do answer = solver_check(p->solver, &question, 1, &limit);
  while (answer == SOLVE_SAT && !rounds_is_schedule(p->rounds) && !is_over(p));
  limit_address_space(0);
  return is_over(p) ? SOLVE_UNKNOWN : answer;
}

/* Loops whose ends are reached in the model grow. False: none of them can. */
static bool raise_bounds(Prover *p) {
  bool raised = false;
  Map done = {0};
  for (uint32_t t = 0; t < p->seq->threads.len; t++)
    for (uint32_t i = 0; i < p->seq->threads.data[t].cuts.len; i++) {
      uint64_t loop = p->seq->threads.data[t].cuts.data[i].loop;
      if (!loop || loop == seq_thread_key() || map_get(&done, loop) ||
          !solver_number(p->solver, rounds_cut(p->rounds, t, i)))
        continue;
      map_put(&done, loop, 1);
      uint64_t *times = map_at(p->more, loop);
      *times = *times ? *times * 2 : 2;
      raised = true;
    }
  map_free(&done);
  return raised;
}

/* Which of them cannot grow and is reached in the model. */
static ProveObstacle reached_cut(Prover *p) {
  for (uint32_t t = 0; t < p->seq->threads.len; t++)
    for (uint32_t i = 0; i < p->seq->threads.data[t].cuts.len; i++) {
      const SeqCut *cut = &p->seq->threads.data[t].cuts.data[i];
      if (!solver_number(p->solver, rounds_cut(p->rounds, t, i))) continue;
      return (ProveObstacle){cut->loop == seq_thread_key()
                                 ? "there are more threads than can be unwound"
                                 : "a step could not be followed",
                             cut->edge};
    }
  return (ProveObstacle){"the order of some steps could not be encoded", 0};
}

typedef enum { STEP_FAILS, STEP_LATER, STEP_DEEPER, STEP_ANSWERED } Step;

/* Nothing that was cut off or is unknown can be reached. */
static Step look_at_cuts(Prover *p) {
  Term cut = rounds_lost(p->rounds);
  for (uint32_t t = 0; t < p->seq->threads.len; t++)
    for (uint32_t i = 0; i < p->seq->threads.data[t].cuts.len; i++)
      cut = term_or(p->t, cut, rounds_cut(p->rounds, t, i));
  if (term_is_false(p->t, cut)) return STEP_ANSWERED;
  switch (ask(p, cut)) {
  case SOLVE_UNSAT: return STEP_ANSWERED;
  case SOLVE_UNKNOWN: return STEP_LATER;
  case SOLVE_SAT: break;
  }
  if (raise_bounds(p)) return STEP_DEEPER;
  p->obstacle = reached_cut(p);
  return STEP_FAILS;
}

/* A proof takes more to be possible than the interpreter does, and that may be the error. */
static void tell_schedule(Prover *p) {
  uint32_t i = 0;
  while (i < p->targets.len && !solver_number(p->solver, p->targets.data[i].holds)) i++;
  if (i == p->targets.len || !p->request->violated) return;
  KissSchedule schedule;
  rounds_schedule(p->rounds, &p->targets.data[i], &schedule);
  if (!p->request->violated(p->request->user, p->seq, &schedule))
    p->obstacle.text =
        "memory that nobody has set, an argument, or a call that fails may lead "
        "to an error, which no run has shown";
  kiss_schedule_free(&schedule);
}

static Step look_at_questions(Prover *p) {
  uint32_t n = p->request->question_count;
  assert(rounds_is_complete(p->rounds));
  vec_clear(&p->targets);
  for (uint32_t i = 0; i < n; i++)
    p->violated[i] = violation(p, &p->request->questions[i]);
  for (;;) {
    Term some = term_bool(p->t, false);
    for (uint32_t i = 0; i < n; i++)
      if (!p->open[i]) some = term_or(p->t, some, p->violated[i]);
    if (term_is_false(p->t, some)) return STEP_ANSWERED;
    switch (ask(p, some)) {
    case SOLVE_UNSAT: return STEP_ANSWERED;
    case SOLVE_UNKNOWN: return STEP_LATER;
    case SOLVE_SAT: break;
    }
    tell_schedule(p);
    for (uint32_t i = 0; i < n; i++)
      if (solver_number(p->solver, p->violated[i])) p->open[i] = true;
  }
}

static Step look(Prover *p) {
  Err err = {0};
  p->t = p->seq->terms;
  if (is_over(p)) return STEP_LATER;
  if (p->seq->gave_up || p->seq->partial) {
    p->obstacle.text = p->seq->gave_up ? p->seq->gave_up : p->seq->partial;
    return STEP_FAILS;
  }
  p->solver = solver_new(p->t, SOLVER_SAT, &err);
  if (!p->solver) {
    p->obstacle.text = "the part with the solver is missing";
    return STEP_FAILS;
  }
  KissFamily family = {.rounds = 1, .all = true, .stuck = asks_for_stuck(p->request)};
  p->rounds = rounds_new(p->seq, p->solver, &family);
  Step step = STEP_FAILS;
  if (rounds_size(p->rounds) <= MOST_SIZE)
    step = look_at_cuts(p);
  else
    p->obstacle.text = "the schedules are too many to be encoded";
  if (step == STEP_ANSWERED) step = look_at_questions(p);
  SolverStats stats = solver_stats(p->solver);
  log_put(p->request->log, LOG_INFO,
          "kiss: proof: %u threads, %llu variables, %llu clauses, %llu conflicts, %.3f s",
          p->seq->threads.len, (unsigned long long)stats.variables,
          (unsigned long long)stats.clauses, (unsigned long long)stats.conflicts,
          stats.seconds);
  rounds_free(p->rounds);
  solver_free(p->solver);
  return step;
}

/* ---- the whole ---- */

/* The bounds as a proof has them. False: it has no room for so many loops. */
static bool write_bounds(const SeqBounds *b, const Map *more, KissProof *ret) {
  *ret = (KissProof){.turns = b->turns,
                     .sure_turns = b->sure_turns,
                     .depth = b->depth,
                     .threads = b->threads,
                     .events = b->events};
  for (uint32_t i = 0; i < more->len; i++) {
    if (ret->loop_count == KISS_MOST_LOOPS) return false;
    assert(more->entries[i].value);
    ret->loops[ret->loop_count].loop = more->entries[i].key;
    ret->loops[ret->loop_count++].times = more->entries[i].value;
  }
  return true;
}

ProveEnd kiss_prove(const KissProofRequest *request, uint64_t effort, Map *more,
                    KissProof *ret_proof, bool *ret_proved, ProveObstacle *ret_obstacle) {
  uint32_t n = request->question_count;
  Prover p = {.request = request, .effort = effort, .more = more};
  p.violated = mem_alloc_zero((n + 1) * sizeof *p.violated);
  p.open = mem_alloc_zero((n + 1) * sizeof *p.open);
  SeqBounds bounds = kiss_bounds(more);
  SeqRequest unwind = {.program = request->program,
                       .pointsto = request->flow->pointsto,
                       .shared = request->shared,
                       .bounds = bounds,
                       .whole = true,
                       .deadline = request->deadline};
  Step step = STEP_DEEPER;
  for (int i = 0; i < MOST_RAISES && step == STEP_DEEPER; i++) {
    memset(p.open, 0, n * sizeof *p.open);
    p.obstacle = (ProveObstacle){0};
    p.seq = seq_unwind(&unwind);
    step = look(&p);
    seq_free(p.seq);
  }
  *ret_obstacle =
      step == STEP_FAILS || step == STEP_ANSWERED ? p.obstacle : (ProveObstacle){0};
  if (step == STEP_ANSWERED && !write_bounds(&bounds, more, ret_proof)) step = STEP_FAILS;
  for (uint32_t i = 0; i < n; i++) ret_proved[i] = step == STEP_ANSWERED && !p.open[i];
  mem_free(p.violated);
  mem_free(p.open);
  vec_free(&p.targets);
  return step == STEP_ANSWERED ? PROVE_ANSWERED
         : step == STEP_FAILS  ? PROVE_NOTHING
                               : PROVE_LATER;
}
