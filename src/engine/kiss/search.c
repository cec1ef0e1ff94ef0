/* The search: questions from small to large. See kiss.h.
 *
 * A level is a family of schedules and bounds for loops. The question of a level is: can one of the
 * targets be reached, or the place where something was cut off? It is asked under the assumption
 * that no cut is reached. If the answer is no, the assumptions that were needed name the loops that
 * matter: only their bounds grow. */
#include "engine/kiss/search_internal.h"

#include "base/limit.h"
#include "base/mem.h"

enum {
  FIRST_ROUNDS = 2,
  LAST_ROUNDS = 9,
  FIRST_EFFORT = 2000,
  MORE_EFFORT = 8,
  FIRST_TURNS = 2,
  FIRST_SURE_TURNS = 6,
  DEPTH = 4,
  MOST_THREADS = 24,
  FIRST_COPIES = 6,
  MOST_EVENTS = 6000,
  MOST_SIZE = 3000000,
  MOST_MISSES = 12,
  LAST_LEVEL = 24,
  WORLDS =
      6, /* none, one, two, three arguments; refusals; waits that end for no reason */
};

/* Marks a loop whose bound has just grown. */
#define RAISED (UINT64_C(1) << 63)

/* ---- levels ---- */

/* A balanced schedule of n threads has at most 2n - 1 contexts. */
static KissFamily family_of(const Search *s, uint32_t threads) {
  uint32_t contexts = threads ? 2 * threads - 1 : 1;
  if (s->all)
    return (KissFamily){.rounds = 1, .all = true, .stuck = s->request->deadlocks};
  if (s->request->pending == UINT32_MAX) return (KissFamily){.rounds = s->rounds};
  return (KissFamily){
      .rounds = contexts, .balanced = true, .pending = s->request->pending};
}

SeqBounds kiss_bounds(const Map *more) {
  return (SeqBounds){.turns = FIRST_TURNS,
                     .sure_turns = FIRST_SURE_TURNS,
                     .depth = DEPTH,
                     .threads = MOST_THREADS,
                     .events = MOST_EVENTS,
                     .more = more};
}

/* ---- one level ---- */

typedef struct {
  Term reached;
  uint64_t loop;
} Cut;
typedef VEC(Cut) Cuts;

static void find_cuts(Rounds *r, const SeqProgram *seq, Cuts *cuts) {
  for (uint32_t t = 0; t < seq->threads.len; t++)
    for (uint32_t i = 0; i < seq->threads.data[t].cuts.len; i++) {
      Term reached = rounds_cut(r, t, i);
      if (!term_is_false(seq->terms, reached))
        vec_push(cuts, (Cut){reached, seq->threads.data[t].cuts.data[i].loop});
    }
}

static SolveAnswer ask(Search *s, Rounds *r, Solver *solver, Terms *t,
                       const KissTargets *targets, const Cuts *cuts) {
  SolveLimit limit = {
      .deadline = s->deadline, .effort = s->effort, .stop = s->request->stop};
  VEC(Term) assumptions = {0};
  Term error = term_bool(t, false);
  for (uint32_t i = 0; i < targets->len; i++)
    error = term_or(t, error, targets->data[i].holds);
  for (uint32_t i = 0; i < cuts->len; i++) {
    error = term_or(t, error, cuts->data[i].reached);
    vec_push(&assumptions, term_not(t, cuts->data[i].reached));
  }
  vec_push(&assumptions, error);
  /* The interpreter maps more than it uses; the solver uses what it takes. */
  limit_address_space(limit_child_bytes());
  SolveAnswer answer;
  do answer = solver_check(solver, assumptions.data, assumptions.len, &limit);
  while (answer == SOLVE_SAT && !rounds_is_schedule(r) && !search_is_over(s));
  limit_address_space(0);
  vec_free(&assumptions);
  return answer;
}

static void raise_bounds(Search *s, Solver *solver, Terms *t, const Cuts *cuts) {
  s->report->everything = true;
  for (uint32_t i = 0; i < cuts->len; i++) {
    if (!solver_failed(solver, term_not(t, cuts->data[i].reached))) continue;
    s->report->everything = false;
    s->deeper = true;
    if (!cuts->data[i].loop) continue;
    uint64_t *times = map_at(&s->more, cuts->data[i].loop);
    if (*times & RAISED) continue;
    *times = (*times ? *times * 2 : 2) | RAISED;
  }
  for (uint32_t i = 0; i < s->more.len; i++) s->more.entries[i].value &= ~RAISED;
}

/* Asks until there is no further error, or too many that the interpreter does not confirm. */
static SolveAnswer ask_targets(Search *s, Rounds *r, Solver *solver, SeqProgram *seq,
                               KissTargets *targets, const Cuts *cuts) {
  s->misses = 0;
  for (;;) {
    SolveAnswer answer = ask(s, r, solver, seq->terms, targets, cuts);
    if (answer != SOLVE_SAT || search_is_over(s)) return answer;
    targets_take_model(s, r, solver, seq, targets);
    if (!targets->len || s->misses >= MOST_MISSES) return SOLVE_SAT;
  }
}

static void ask_level(Search *s, Rounds *r, Solver *solver, SeqProgram *seq,
                      const KissFamily *family) {
  KissTargets targets = {0};
  Cuts cuts = {0}, none = {0};
  targets_of_races(s, r, seq, false, &targets);
  targets_of_asserts(s, r, seq, &targets);
  targets_of_deadlocks(s, r, &targets);
  find_cuts(r, seq, &cuts);
  SolveAnswer answer = ask_targets(s, r, solver, seq, &targets, &cuts);
  if (answer == SOLVE_UNSAT) {
    s->report->family = *family;
    raise_bounds(s, solver, seq->terms, &cuts);
  }
  s->finished = answer == SOLVE_UNSAT && family->all && !s->deeper;
  if (answer == SOLVE_UNKNOWN && !s->unanswered) s->unanswered = s->rounds;
  /* What is never next to each other may still be unordered. */
  vec_clear(&targets);
  if (s->level % 2) targets_of_races(s, r, seq, true, &targets);
  if (targets.len && !search_is_over(s)) ask_targets(s, r, solver, seq, &targets, &none);
  vec_free(&targets);
  vec_free(&cuts);
}

bool search_has_open(const Search *s) {
  const KissRequest *q = s->request;
  for (uint32_t i = 0; i < q->pair_count; i++)
    if (!targets_know_pair(s, &q->pairs[i])) return true;
  for (uint32_t i = 0; i < q->assert_count; i++)
    if (!map_get(&s->known_pairs, q->asserts[i])) return true;
  bool provable = q->question_count && !s->no_proof && search_may_prove(q);
  return provable || (q->deadlocks && !s->stuck_known);
}

bool search_level(Search *s) {
  const KissRequest *q = s->request;
  SeqRequest unwind = {
      .program = q->program,
      .pointsto = q->flow->pointsto,
      .shared = s->shared,
      .asked = s->asked,
      .world = {.arguments = witness_argument_count(q->program, s->world),
                .words = witness_arguments(),
                .refusals = witness_refuses(s->world),
                .spurious = witness_wakes(s->world)},
      .bounds = kiss_bounds(&s->more),
      .deadline = s->deadline};
  if (!s->all) unwind.bounds.copies = FIRST_COPIES;
  SeqProgram *seq = seq_unwind(&unwind);
  KissFamily family = family_of(s, seq->threads.len);
  Err err = {0};
  uint32_t events = 0;
  for (uint32_t i = 0; i < seq->threads.len; i++)
    events += seq->threads.data[i].events.len;
  log_put(q->log, LOG_INFO,
          "kiss: level %u, %u threads, %u events, %u rounds%s, %u terms", s->level,
          seq->threads.len, events, family.rounds,
          family.balanced ? " (balanced)"
          : family.all    ? " (all schedules)"
                          : "",
          terms_count(seq->terms));
  bool good = !seq->gave_up;
  if (seq->gave_up) s->report->gave_up = seq->gave_up;
  Solver *solver = good ? solver_new(seq->terms, SOLVER_SAT, &err) : NULL;
  if (good && !solver) s->report->gave_up = "the part with the solver is missing";
  if (solver) {
    Rounds *r = rounds_new(seq, solver, &family);
    if (rounds_size(r) > MOST_SIZE)
      s->report->gave_up = "the schedules are too many to be encoded";
    else
      ask_level(s, r, solver, seq, &family);
    good = rounds_size(r) <= MOST_SIZE;
    SolverStats stats = solver_stats(solver);
    log_put(q->log, LOG_INFO,
            "kiss: %llu variables, %llu clauses, %llu conflicts, %.3f s",
            (unsigned long long)stats.variables, (unsigned long long)stats.clauses,
            (unsigned long long)stats.conflicts, stats.seconds);
    rounds_free(r);
  }
  good = good && solver;
  solver_free(solver);
  seq_free(seq);
  return good;
}

/* Loops that matter first; then, by turns, more rounds. Questions that were too hard are asked again,
 * with more effort, when those for more rounds have been asked. False: there is nothing more. */
static bool go_on(Search *s) {
  bool balanced = s->request->pending != UINT32_MAX;
  s->report->level = s->level++;
  if (s->finished && (s->request->all || s->level >= WORLDS)) return false;
  if (s->request->all) {
    s->effort *= MORE_EFFORT;
    return s->deeper || s->unanswered;
  }
  if (!balanced && (!s->deeper || s->level % 2 == 0)) s->rounds++;
  uint32_t last = s->request->rounds ? s->request->rounds : LAST_ROUNDS;
  bool through = balanced ? !s->deeper : s->rounds > last;
  if (!through) return true;
  if (s->unanswered && !balanced) s->rounds = s->unanswered;
  bool again = s->unanswered || s->deeper;
  s->effort *= MORE_EFFORT;
  s->unanswered = 0;
  return again;
}

/* ---- from one search to the next ---- */

static void begin(Search *s, const KissStage *stage) {
  s->rounds = s->request->rounds == 1 ? 1 : FIRST_ROUNDS;
  s->effort = FIRST_EFFORT;
  if (!stage) return;
  s->level = stage->level;
  s->rounds = stage->rounds;
  s->unanswered = stage->unanswered;
  s->effort = stage->effort;
  s->spent = stage->spent;
  s->spent_on_all = stage->spent_on_all;
  s->last_try = stage->last_try;
  s->report->family = stage->family;
  s->report->everything = stage->everything;
  uint32_t all = stage->loop_count + stage->proof_loop_count;
  for (uint32_t i = 0; i < all; i++)
    map_put(i < stage->loop_count ? &s->more : &s->proof_more, stage->loops[i].key,
            stage->loops[i].value);
}

static void leave(const Search *s) {
  const Map *from[] = {&s->more, &s->proof_more};
  VEC(MapEntry) loops = {0};
  for (int m = 0; m < 2; m++)
    for (uint32_t i = 0; i < from[m]->len; i++) vec_push(&loops, from[m]->entries[i]);
  KissStage stage = {.level = s->level,
                     .rounds = s->rounds,
                     .unanswered = s->unanswered,
                     .effort = s->effort,
                     .spent = s->spent,
                     .spent_on_all = s->spent_on_all,
                     .last_try = s->last_try,
                     .family = s->report->family,
                     .everything = s->report->everything,
                     .loops = loops.data,
                     .loop_count = s->more.len,
                     .proof_loop_count = s->proof_more.len};
  s->request->left(s->request->user, &stage);
  vec_free(&loops);
}

void kiss_search(const KissRequest *request, KissReport *report) {
  *report = (KissReport){0};
  Search s = {.request = request,
              .report = report,
              .all = request->all,
              .deadline = request->deadline};
  begin(&s, request->stage);
  s.shared = seq_shared_objects(request->program, request->flow);
  s.asked = mem_alloc_zero(request->program->edges.len + 1);
  for (uint32_t i = 0; i < request->pair_count; i++)
    s.asked[request->pairs[i].a] = s.asked[request->pairs[i].b] = 1;
  while (s.level <= LAST_LEVEL && search_has_open(&s) && !search_is_over(&s)) {
    s.deeper = false;
    s.world = s.level % WORLDS;
    double begun = clock_now();
    if (!request->all && !search_level(&s)) break;
    s.spent += clock_now() - begun;
    if (search_may_prove(request) && (s.level || request->all) && !search_is_over(&s))
      search_all(&s);
    if (search_is_over(&s) || !go_on(&s)) break;
  }
  if (search_may_prove(request)) search_all_to_the_end(&s);
  if (request->left) leave(&s);
  mem_free(s.shared);
  mem_free(s.asked);
  map_free(&s.more);
  map_free(&s.proof_more);
  map_free(&s.known_pairs);
}
