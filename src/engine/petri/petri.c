/* See petri.h. The net is built with growing knowledge of the data: first without any,
 * then with a few values of locals and shared variables, then with many. The first one
 * whose target cannot be covered is the proof; the run of the last one is the suspicion.
 * */
#include "engine/petri/petri.h"

#include "base/clock.h"

#include "engine/petri/translate.h"
#include "net/evidence.h"
#include "net/solve.h"

#include <assert.h>

static const TranslateLimits ATTEMPTS[] = {
    {.values = 3, .domain = 0, .variables = 0, .states = 4000},
    {.values = 12, .domain = 6, .variables = 16, .states = 12000, .strict = true},
    {.values = 12, .domain = 6, .variables = 16, .states = 12000},
    {.values = 130, .domain = 40, .variables = 32, .states = 30000, .strict = true},
    {.values = 130, .domain = 40, .variables = 32, .states = 30000},
};

enum { ATTEMPT_COUNT = sizeof ATTEMPTS / sizeof *ATTEMPTS, MOST_RESTARTS = 60 };

typedef struct {
  const PetriQuestion *question;
  PetriAnswer *answer;
  Arena *arena;
  World *world;
  double deadline;
} Run;

static bool is_over(const Run *r) {
  return (r->question->stop && *r->question->stop) || clock_now() > r->deadline;
}

static void give_reason(Run *r, const char *reason) {
  r->answer->reason = arena_strdup(r->arena, reason);
}

/* ---- the run of a covered target, as steps of threads ---- */

typedef VEC(uint32_t) ThreadStates;

static uint32_t thread_in(const ThreadStates *threads, uint32_t state) {
  for (uint32_t i = 0; i < threads->len; i++)
    if (threads->data[i] == state) return i;
  return NET_NONE;
}

/* Tokens are alike; any that is in the right state will do. */
static void follow_step(const Translation *t, const NetStep *step, ThreadStates *threads,
                        uint32_t *ret_thread, uint32_t *ret_sight) {
  assert(step->takes && t->resources.data[step->first].kind == RESOURCE_STATE);
  uint32_t from = t->resources.data[step->first].a;
  uint32_t thread = thread_in(threads, from);
  *ret_thread = thread;
  *ret_sight = NET_NONE;
  if (step->opens)
    for (uint32_t i = 0; i < threads->len; i++)
      if (threads->data[i] != NET_NONE &&
          t->states.data[threads->data[i]].barrier == step->opens)
        threads->data[i] = t->states.data[threads->data[i]].released;
  bool moved = false;
  for (uint32_t i = 0; i < step->gives; i++) {
    const Resource *r = &t->resources.data[step->first + step->takes + i];
    if (r->kind == RESOURCE_SEEN) *ret_sight = r->a;
    if (r->kind != RESOURCE_STATE) continue;
    if (!moved && thread != NET_NONE)
      threads->data[thread] = r->a;
    else
      vec_push(threads, r->a);
    moved = true;
  }
  if (!moved && thread != NET_NONE) threads->data[thread] = NET_NONE;
}

/* Not the second half of one, nor what a thread does before its first. */
static bool begins_operation(const Translation *t, const NetStep *step) {
  LocalState s = {0};
  const NetState *from = &t->states.data[t->resources.data[step->first].a];
  local_unpack(&s, from->bytes, from->len);
  bool begins = step->edge && s.stage == STAGE_START && s.update == 0;
  local_free(&s);
  return begins;
}

static void tell_run(Run *r, const Translation *t, const Numbers *sights,
                     const NetResult *result) {
  PetriAnswer *a = r->answer;
  const NetEvidence *e = &result->evidence;
  assert(2 * e->target + 1 < sights->len);
  uint32_t wanted[2] = {sights->data[2 * e->target], sights->data[2 * e->target + 1]};
  VEC(GuideStep) steps = {0};
  ThreadStates threads = {0};
  uint32_t found = 0;
  vec_push(&threads, t->templates.data[0].state);
  for (uint32_t i = 0; i < e->firings.len; i++) {
    const NetStep *step = &t->steps.data[e->firings.data[i]];
    uint32_t thread, sight;
    follow_step(t, step, &threads, &thread, &sight);
    if (sight == NET_NONE) {
      if (begins_operation(t, step))
        vec_push(&steps, ((GuideStep){.thread = thread, .edge = step->edge}));
      continue;
    }
    for (int k = 0; k < 2; k++) {
      if (sight != wanted[k] || (found >> k & 1)) continue;
      found |= 1u << k;
      a->edges[k] = step->edge;
      a->racers[k] = thread;
      break;
    }
  }
  a->steps =
      steps.len ? arena_dup(r->arena, steps.data, steps.len * sizeof *steps.data) : NULL;
  a->step_count = steps.len;
  a->threads = result->threads;
  a->least = result->least;
  vec_free(&steps);
  vec_free(&threads);
}

/* ---- one attempt ---- */

typedef enum {
  ATTEMPT_OPEN,
  ATTEMPT_PROVED,
  ATTEMPT_FAILED,
  ATTEMPT_FOLLOWED, /* the net's run is one of the program */
  ATTEMPT_AGAIN,    /* something was learnt */
} AttemptResult;

/* A variable has more values than are followed: the next net does not rely on it. */
static AttemptResult widen(Run *r, Translation *t, uint32_t what) {
  give_reason(r, "a variable has more values than are followed");
  if (what >= t->var_count)
    guarded_widen(t, what - t->var_count);
  else
    r->world->vars.data[what].widened = true;
  return ATTEMPT_AGAIN;
}

static AttemptResult suspect_assertion(Run *r) {
  PetriAnswer *a = r->answer;
  const Program *p = r->question->program;
  a->assertion = a->edges[0];
  a->edges[0] = a->edges[1] = 0;
  const Loc *loc = &p->locs.data[program_edge(p, a->assertion)->loc];
  a->reason =
      arena_printf(r->arena, "the net does not keep the assertion at %s:%u from failing",
                   sym_text(p, loc->file), loc->line);
  bool followed = r->question->follow && r->question->follow(r->question->user, a);
  return followed ? ATTEMPT_FOLLOWED : ATTEMPT_OPEN;
}

static AttemptResult judge(Run *r, Translation *t, double seconds) {
  PetriAnswer *a = r->answer;
  Numbers sights = {0};
  NetResult result;
  Net *net = translate_emit(t, &sights);
  if (!net) {
    give_reason(r, "too many pairs of accesses");
    vec_free(&sights);
    return ATTEMPT_FAILED;
  }
  NetOptions options = {.limits = {.deadline = net_clock() + (uint64_t)(seconds * 1e9),
                                   .progress = r->question->progress}};
  net_solve(net, &options, &result);
  a->places = net->place_names.len;
  a->transitions = net->transitions.len;
  AttemptResult out = ATTEMPT_OPEN;
  if (result.verdict == NET_SAFE) {
    a->basis = result.evidence.basis.ends.len;
    a->invariants = result.evidence.invariants.ends.len;
    a->written = r->question->certificate != NULL;
    if (a->written) evidence_write(net, &result.evidence, r->question->certificate);
    out = ATTEMPT_PROVED;
  } else if (result.verdict == NET_UNSAFE &&
             sights.data[2 * result.evidence.target] == NET_NONE) {
    out = widen(r, t, sights.data[2 * result.evidence.target + 1]);
  } else if (result.verdict == NET_UNSAFE &&
             sights.data[2 * result.evidence.target + 1] == NET_NONE) {
    tell_run(r, t, &sights, &result);
    out = suspect_assertion(r);
  } else if (result.verdict == NET_UNSAFE) {
    tell_run(r, t, &sights, &result);
    a->assertion = 0;
    a->reason = arena_printf(r->arena,
                             "the net does not keep two accesses apart that %llu threads "
                             "may make",
                             (unsigned long long)result.threads);
    if (r->question->follow && r->question->follow(r->question->user, a))
      out = ATTEMPT_FOLLOWED;
  } else {
    give_reason(r, result.reason ? result.reason : "the net was not decided");
  }
  log_put(r->question->log, LOG_INFO,
          "petri: %u places, %u transitions, %u targets, %s by %s", a->places,
          a->transitions, net->targets.len,
          result.verdict == NET_SAFE     ? "safe"
          : result.verdict == NET_UNSAFE ? "unsafe"
                                         : "unknown",
          result.method ? result.method : "nothing");
  net_result_free(&result);
  net_free(net);
  vec_free(&sights);
  return out;
}

static AttemptResult attempt(Run *r, const TranslateLimits *limits, double seconds) {
  World *w = r->world;
  vec_clear(&w->vars);
  memset(w->has_var, 0, r->question->program->objects.len + 1);
  memset(w->blurred, 0, r->question->program->objects.len + 1);
  for (uint32_t n = 0; n < MOST_RESTARTS && !is_over(r); n++) {
    pn_world_judge_functions(w);
    Translation t = {.w = w, .p = w->program, .limits = *limits, .arena = arena_new()};
    bool done = translate_explore(&t), again = t.restart;
    AttemptResult out = ATTEMPT_FAILED;
    if (done)
      out = judge(r, &t, seconds);
    else if (!again)
      give_reason(r, str_text(&t.why));
    translate_free(&t);
    if (!again && out != ATTEMPT_AGAIN) return out;
  }
  give_reason(r, "the time was over while the net was built");
  return ATTEMPT_FAILED;
}

void petri_run(const PetriQuestion *question, Arena *arena, PetriAnswer *answer) {
  memset(answer, 0, sizeof *answer);
  Run r = {.question = question,
           .answer = answer,
           .arena = arena,
           .deadline = clock_now() + question->seconds};
  r.world = pn_world_new(question);
  if (r.world->objection) give_reason(&r, r.world->objection);
  for (uint32_t i = 0; i < ATTEMPT_COUNT && !r.world->objection && !is_over(&r); i++) {
    double left = r.deadline - clock_now();
    AttemptResult out =
        attempt(&r, &ATTEMPTS[i], i + 1 == ATTEMPT_COUNT ? left : left / 4);
    answer->race_free = out == ATTEMPT_PROVED;
    if (answer->race_free || out == ATTEMPT_FOLLOWED) break;
  }
  if (answer->race_free) answer->reason = NULL;
  if (!answer->race_free && !answer->reason) give_reason(&r, "there was no time for it");
  pn_world_free(r.world);
}
