/* The search: questions from small to large. See kiss.h.
 *
 * A level is a family of schedules and bounds for loops. The question of a level is: can one of the
 * targets be reached, or the place where something was cut off? It is asked under the assumption
 * that no cut is reached. If the answer is no, the assumptions that were needed name the loops that
 * matter: only their bounds grow. */
#include "engine/kiss/kiss.h"

#include "base/clock.h"
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
  MOST_EVENTS = 6000,
  MOST_SIZE = 3000000,
  MOST_TARGETS = 20000,
  MOST_MISSES = 12,
  LAST_LEVEL = 24,
  WORLDS =
      6, /* none, one, two, three arguments; refusals; waits that end for no reason */
};

/* Marks a loop whose bound has just grown. */
#define RAISED (UINT64_C(1) << 63)

typedef struct {
  const KissRequest *request;
  KissReport *report;
  uint8_t *shared;
  uint8_t *asked;  /* by EdgeId: some pair has it */
  Map more;        /* bounds of loops that matter */
  Map known_pairs; /* pairs of edges, and assertions, that are shown */
  bool stuck_known;
  uint32_t level, rounds;
  bool all;            /* this level is about all schedules */
  bool finished;       /* nothing is left to ask */
  bool no_proof;       /* a proof was found, or there is none */
  uint32_t misses;     /* of this question, one after the other */
  bool deeper;         /* the bounds of some loops have grown */
  uint64_t world;      /* which arguments there are, and whether anything is refused */
  uint64_t effort;     /* for one question */
  uint32_t unanswered; /* the fewest rounds for which it was too little; 0: none */
} Search;

/* ---- levels ---- */

static bool is_over(const Search *s) {
  const volatile int *stop = s->request->stop;
  return clock_now() >= s->request->deadline || (stop && *stop);
}

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

/* ---- targets ---- */

static uint64_t pair_key(EdgeId a, EdgeId b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

/* Uses memory in ways of which only the interpreter knows all. */
static bool is_touch(const SeqEvent *e) {
  return e->kind == SEQ_TOUCH || (e->kind == SEQ_SYNC && e->phase == LOWER_START);
}

static bool may_race(const SeqEvent *e) {
  return e->kind == SEQ_READ || e->kind == SEQ_WRITE || e->kind == SEQ_UPDATE ||
         e->kind == SEQ_FREE || is_touch(e);
}

static bool may_write(const SeqEvent *e) {
  return e->kind == SEQ_TOUCH ? e->writes : e->kind != SEQ_READ;
}

static bool conflict(const SeqEvent *a, const SeqEvent *b) {
  return (may_write(a) || may_write(b)) && !(a->atomic && b->atomic);
}

/* An access inside of a step that something else begins is never next. */
static bool begins_step(const SeqThread *t, uint32_t i) {
  const SeqEvent *e = &t->events.data[i];
  while (e->glued && i && t->events.data[i - 1].edge == e->edge) e = &t->events.data[--i];
  return !e->glued;
}

typedef struct {
  uint32_t thread, event;
} Spot;
typedef VEC(Spot) Spots;

static void spots_of(const SeqProgram *seq, EdgeId edge, Spots *ret) {
  vec_clear(ret);
  for (uint32_t t = 0; t < seq->threads.len; t++)
    for (uint32_t i = 0; i < seq->threads.data[t].events.len; i++)
      if (seq->threads.data[t].events.data[i].edge == edge) vec_push(ret, (Spot){t, i});
}

static void add_race(Rounds *r, const SeqProgram *seq, Spot a, Spot b, bool unordered,
                     KissTargets *targets) {
  const SeqThread *ta = &seq->threads.data[a.thread], *tb = &seq->threads.data[b.thread];
  const SeqEvent *x = &ta->events.data[a.event], *y = &tb->events.data[b.event];
  if (a.thread == b.thread || !may_race(x) || !may_race(y) || !conflict(x, y) ||
      targets->len >= MOST_TARGETS)
    return;
  if (!unordered && (!begins_step(ta, a.event) || !begins_step(tb, b.event))) return;
  Terms *t = seq->terms;
  Term holds = unordered ? term_and(t, rounds_performed(r, a.thread, a.event),
                                    rounds_performed(r, b.thread, b.event))
                         : term_and(t, rounds_is_next(r, a.thread, a.event),
                                    rounds_is_next(r, b.thread, b.event));
  holds = term_and(t, holds, rounds_overlap(r, x, y));
  if (term_is_false(t, holds)) return;
  vec_push(targets, (KissTarget){.kind = WITNESS_RACE,
                                 .threads = {a.thread, b.thread},
                                 .events = {a.event, b.event},
                                 .unordered = unordered || is_touch(x) || is_touch(y),
                                 .standing = !unordered,
                                 .holds = holds});
}

static void add_races(Search *s, Rounds *r, const SeqProgram *seq, bool unordered,
                      KissTargets *targets) {
  Spots as = {0}, bs = {0};
  for (uint32_t i = 0; i < s->request->pair_count; i++) {
    const HuntPair *p = &s->request->pairs[i];
    if (map_get(&s->known_pairs, pair_key(p->a, p->b))) continue;
    spots_of(seq, p->a, &as);
    spots_of(seq, p->b, &bs);
    for (uint32_t k = 0; k < as.len; k++)
      for (uint32_t m = p->a == p->b ? k + 1 : 0; m < bs.len; m++)
        add_race(r, seq, as.data[k], bs.data[m], unordered, targets);
  }
  vec_free(&as);
  vec_free(&bs);
}

static void add_asserts(Search *s, Rounds *r, const SeqProgram *seq,
                        KissTargets *targets) {
  Spots spots = {0};
  Terms *t = seq->terms;
  for (uint32_t i = 0; i < s->request->assert_count; i++) {
    EdgeId edge = s->request->asserts[i];
    if (map_get(&s->known_pairs, edge)) continue;
    spots_of(seq, edge, &spots);
    for (uint32_t k = 0; k < spots.len; k++) {
      const SeqEvent *e =
          &seq->threads.data[spots.data[k].thread].events.data[spots.data[k].event];
      if (e->kind != SEQ_ASSERT) continue;
      Term holds =
          term_and(t, rounds_performed(r, spots.data[k].thread, spots.data[k].event),
                   term_not(t, e->value));
      if (term_is_false(t, holds)) continue;
      vec_push(targets, (KissTarget){.kind = WITNESS_ASSERT,
                                     .threads = {spots.data[k].thread},
                                     .events = {spots.data[k].event},
                                     .holds = holds});
    }
  }
  vec_free(&spots);
}

static void add_deadlock(Search *s, Rounds *r, KissTargets *targets) {
  /* who may wake up for no reason is never stuck */
  if (!s->request->deadlocks || s->stuck_known || witness_wakes(s->world)) return;
  Term stuck = rounds_stuck(r), circle = s->request->unlock_any ? 0 : rounds_circle(r);
  if (stuck) vec_push(targets, (KissTarget){.kind = WITNESS_DEADLOCK, .holds = stuck});
  if (circle) vec_push(targets, (KissTarget){.kind = WITNESS_DEADLOCK, .holds = circle});
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
      .deadline = s->request->deadline, .effort = s->effort, .stop = s->request->stop};
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
  while (answer == SOLVE_SAT && !rounds_is_schedule(r) && !is_over(s));
  limit_address_space(0);
  vec_free(&assumptions);
  return answer;
}

static bool is_shown(const Search *s, const Witness *w) {
  switch (w->kind) {
  case WITNESS_RACE: return map_get(&s->known_pairs, pair_key(w->edges[0], w->edges[1]));
  case WITNESS_ASSERT: return map_get(&s->known_pairs, w->edge);
  case WITNESS_DEADLOCK: return s->stuck_known;
  case WITNESS_NONE: break;
  }
  return true;
}

static void note_shown(Search *s, const Witness *w) {
  if (w->kind == WITNESS_RACE)
    map_put(&s->known_pairs, pair_key(w->edges[0], w->edges[1]), 1);
  if (w->kind == WITNESS_ASSERT) map_put(&s->known_pairs, w->edge, 1);
  if (w->kind == WITNESS_DEADLOCK) s->stuck_known = true;
}

static EdgeId edge_of(const SeqProgram *seq, const KissTarget *t, int i) {
  return seq->threads.data[t->threads[i]].events.data[t->events[i]].edge;
}

static bool is_known(const Search *s, const SeqProgram *seq, const KissTarget *t) {
  switch (t->kind) {
  case WITNESS_RACE:
    return map_get(&s->known_pairs, pair_key(edge_of(seq, t, 0), edge_of(seq, t, 1)));
  case WITNESS_ASSERT: return map_get(&s->known_pairs, edge_of(seq, t, 0));
  case WITNESS_DEADLOCK: return s->stuck_known;
  case WITNESS_NONE: break;
  }
  return true;
}

/* The targets without those that are shown. */
static void drop_known(const Search *s, const SeqProgram *seq, KissTargets *targets) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < targets->len; i++)
    if (!is_known(s, seq, &targets->data[i])) targets->data[n++] = targets->data[i];
  targets->len = n;
}

/* The interpreter goes the way of the schedule, and what is an error there is shown. */
static bool follow(Search *s, const SeqProgram *seq, const KissSchedule *schedule) {
  Witness w;
  if (!kiss_follow(s->request->program, seq, schedule, s->world, s->request->unlock_any,
                   &w))
    return false;
  if (!is_shown(s, &w)) s->request->show(s->request->user, &w);
  note_shown(s, &w);
  witness_free(&w);
  return true;
}

/* A model: the targets that hold in it are followed. */
static void take_model(Search *s, Rounds *r, Solver *solver, SeqProgram *seq,
                       KissTargets *targets) {
  uint32_t i = 0;
  while (i < targets->len && !solver_number(solver, targets->data[i].holds)) i++;
  if (i == targets->len) {
    targets->len = 0;
    return;
  }
  KissSchedule schedule;
  rounds_schedule(r, &targets->data[i], &schedule);
  if (follow(s, seq, &schedule)) {
    s->misses = 0;
  } else {
    /* That nothing orders two accesses is not part of the formula: it was a guess. */
    s->report->unconfirmed += !schedule.target.unordered;
    s->misses++;
    if (!schedule.target.unordered)
      log_put(s->request->log, LOG_INFO, "kiss: a schedule of %u steps was not confirmed",
              schedule.steps.len);
  }
  kiss_schedule_free(&schedule);
  targets->data[i] = vec_pop(targets);
  drop_known(s, seq, targets);
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
    if (answer != SOLVE_SAT || is_over(s)) return answer;
    take_model(s, r, solver, seq, targets);
    if (!targets->len || s->misses >= MOST_MISSES) return SOLVE_SAT;
  }
}

static void ask_level(Search *s, Rounds *r, Solver *solver, SeqProgram *seq,
                      const KissFamily *family) {
  KissTargets targets = {0};
  Cuts cuts = {0}, none = {0};
  add_races(s, r, seq, false, &targets);
  add_asserts(s, r, seq, &targets);
  add_deadlock(s, r, &targets);
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
  if (s->level % 2) add_races(s, r, seq, true, &targets);
  if (targets.len && !is_over(s)) ask_targets(s, r, solver, seq, &targets, &none);
  vec_free(&targets);
  vec_free(&cuts);
}

/* A part of the schedules proves nothing. */
static bool may_prove(const KissRequest *q) {
  return q->pending == UINT32_MAX && !q->rounds;
}

static bool has_open(const Search *s) {
  const KissRequest *q = s->request;
  for (uint32_t i = 0; i < q->pair_count; i++)
    if (!map_get(&s->known_pairs, pair_key(q->pairs[i].a, q->pairs[i].b))) return true;
  for (uint32_t i = 0; i < q->assert_count; i++)
    if (!map_get(&s->known_pairs, q->asserts[i])) return true;
  bool provable = q->question_count && !s->no_proof && may_prove(q);
  return provable || (q->deadlocks && !s->stuck_known);
}

/* False: larger questions are out of reach. */
static bool search_level(Search *s) {
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
      .deadline = q->deadline};
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

/* ---- all schedules ---- */

/* Nothing is looked for any more that is proved. */
static void note_proved(Search *s, const KissQuestion *q) {
  const KissRequest *r = s->request;
  for (uint32_t i = 0; i < q->edge_count && !q->race; i++)
    map_put(&s->known_pairs, q->edges[i], 1);
  for (uint32_t k = 0; k < r->pair_count && q->race; k++) {
    bool a = false, b = false;
    for (uint32_t i = 0; i < q->edge_count; i++) {
      a = a || q->edges[i] == r->pairs[k].a;
      b = b || q->edges[i] == r->pairs[k].b;
    }
    if (a && b) map_put(&s->known_pairs, pair_key(r->pairs[k].a, r->pairs[k].b), 1);
  }
}

/* The proof is about more than the interpreter does: not every schedule can be followed. */
static void see_violation(void *user, const SeqProgram *seq,
                          const KissSchedule *schedule) {
  follow(user, seq, schedule);
}

static void prove(Search *s) {
  const KissRequest *r = s->request;
  if (s->no_proof || !r->question_count) return;
  KissProofRequest request = {.program = r->program,
                              .flow = r->flow,
                              .shared = r->shared_whole,
                              .questions = r->questions,
                              .question_count = r->question_count,
                              .deadline = r->deadline,
                              .stop = r->stop,
                              .log = r->log,
                              .violated = see_violation,
                              .user = s};
  KissProof proof;
  bool *proved = mem_alloc_zero((r->question_count + 1) * sizeof *proved);
  uint32_t *list = mem_alloc_zero((r->question_count + 1) * sizeof *list), n = 0;
  ProveEnd end = kiss_prove(&request, s->effort * MORE_EFFORT, &s->more, &proof, proved,
                            &s->report->no_proof);
  s->no_proof = end != PROVE_LATER;
  for (uint32_t i = 0; i < r->question_count; i++) {
    if (!proved[i]) continue;
    list[n++] = r->questions[i].obligation;
    note_proved(s, &r->questions[i]);
  }
  if (n) r->proved(r->user, &proof, list, n);
  mem_free(proved);
  mem_free(list);
}

/* Proofs first: where there is one, there is nothing to find. */
static void search_all(Search *s) {
  prove(s);
  if (!has_open(s) || is_over(s)) return;
  s->all = true;
  search_level(s);
  s->all = s->request->all;
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

void kiss_search(const KissRequest *request, KissReport *report) {
  *report = (KissReport){0};
  Search s = {.request = request,
              .report = report,
              .rounds = request->rounds == 1 ? 1 : FIRST_ROUNDS,
              .all = request->all,
              .effort = FIRST_EFFORT};
  for (uint32_t i = 0; i < request->again; i++) s.effort *= MORE_EFFORT;
  s.shared = seq_shared_objects(request->program, request->flow);
  s.asked = mem_alloc_zero(request->program->edges.len + 1);
  for (uint32_t i = 0; i < request->pair_count; i++)
    s.asked[request->pairs[i].a] = s.asked[request->pairs[i].b] = 1;
  while (s.level <= LAST_LEVEL && has_open(&s) && !is_over(&s)) {
    s.deeper = false;
    s.world = s.level % WORLDS;
    if (!request->all && !search_level(&s)) break;
    if (may_prove(request) && (s.level || request->all) && !is_over(&s)) search_all(&s);
    if (is_over(&s) || !go_on(&s)) break;
  }
  mem_free(s.shared);
  mem_free(s.asked);
  map_free(&s.more);
  map_free(&s.known_pairs);
}
