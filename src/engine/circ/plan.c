/* A trace with the solver's values as a plan (engine/guide.h): what each thread does that others may
 * notice, in the order of the trace, and what it finds in its HAVOCs. */
#include "engine/circ/circ.h"

#include "base/mem.h"

typedef VEC(uint64_t) Words;

typedef struct {
  const CircTrace *trace;
  const CircModel *model;
  Solver *solver;
  Map value; /* variable of the trace → its value before the step, over the beginning */
  VEC(GuideStep) steps;
  Words *words; /* by thread */
} Planner;

/* The value of one of the block's terms, in this step. */
static Term term_in(Planner *p, const TraceStep *step, Term t) {
  const CircKind *k = &p->model->kinds.data[step->label.kind];
  const TraceThread *thread = &p->trace->threads.data[step->thread];
  Map names = {0}, values = {0};
  for (uint32_t i = 0; i < k->locals.len; i++)
    map_put(&names, k->locals.data[i].now, thread->locals[i]);
  for (uint32_t i = 0; i < step->inputs.len; i++)
    map_put(&names, step->inputs.entries[i].key, step->inputs.entries[i].value);
  for (uint32_t i = 0; i < p->value.len; i++)
    map_put(&values, p->value.entries[i].key, p->value.entries[i].value);
  Term named = term_substitute(p->model->terms, t, &names);
  Term result = term_substitute(p->model->terms, named, &values);
  map_free(&names);
  map_free(&values);
  return result;
}

static bool holds(Planner *p, const TraceStep *step, Term t) {
  return solver_number(p->solver, term_in(p, step, t)) & 1;
}

static void add_value(Planner *p, const TraceStep *step, const CircInput *input) {
  uint64_t words[64] = {0};
  uint32_t bits = term_bits(p->model->terms, input->value);
  if (bits > 64 * 64) return;
  solver_value(p->solver, term_in(p, step, input->value), words);
  for (uint32_t i = 0; i < (bits + 63) / 64; i++)
    vec_push(&p->words[step->thread], words[i]);
}

/* What the block does that others may notice, up to this edge. */
static void add_visits(Planner *p, const TraceStep *step, EdgeId last) {
  const CircKind *k = &p->model->kinds.data[step->label.kind];
  const CircBlock *b = &k->all.data[step->label.block];
  for (uint32_t i = 0; i < b->visit_count; i++) {
    const CircVisit *v = &k->visits.data[b->first_visit + i];
    if (!holds(p, step, v->guard)) continue;
    vec_push(&p->steps, (GuideStep){.thread = step->thread, .edge = v->edge});
    if (v->edge == last) break;
  }
}

static void add_step(Planner *p, const TraceStep *step) {
  const CircKind *k = &p->model->kinds.data[step->label.kind];
  const CircBlock *b = &k->all.data[step->label.block];
  add_visits(p, step, 0);
  for (uint32_t i = 0; i < b->input_count; i++) {
    const CircInput *input = &k->inputs.data[b->first_input + i];
    if (holds(p, step, input->guard)) add_value(p, step, input);
  }
  Map values = {0};
  for (uint32_t i = 0; i < p->value.len; i++)
    map_put(&values, p->value.entries[i].key, p->value.entries[i].value);
  for (uint32_t i = 0; i < step->change.len; i++)
    map_put(
        &p->value, step->change.entries[i].key,
        term_substitute(p->model->terms, (Term)step->change.entries[i].value, &values));
  map_free(&values);
}

static void begin(Planner *p) {
  const TraceThread *main = &p->trace->threads.data[0];
  for (uint32_t i = 0; i < p->model->shared.len; i++)
    if (p->model->shared.data[i].start)
      map_put(&p->value, p->model->shared.data[i].now, p->model->shared.data[i].start);
  for (uint32_t i = 0; i < p->model->kinds.data[0].locals.len; i++)
    if (main->starts[i]) map_put(&p->value, main->locals[i], main->starts[i]);
}

static const CircEvent *goal_of(const CircModel *m, const CircErrorLabel *error,
                                uint32_t g) {
  return &m->kinds.data[error->at[g].kind].events.data[error->event[g]];
}

/* Who is inside of a section keeps others from being next: both accesses happen, unordered. */
static PlanTarget add_goals(Planner *p, const CircErrorLabel *error, const TtsRun *run) {
  if (error->count < 2) return TARGET_ASSERTION;
  bool inside[2] = {goal_of(p->model, error, 0)->inside,
                    goal_of(p->model, error, 1)->inside};
  if (!inside[0] && !inside[1]) return TARGET_RACE;
  for (uint32_t n = 0; n < 2; n++) {
    uint32_t g = inside[0] ? n : 1 - n;
    TraceStep step = {.thread = run->racers[g],
                      .label = error->at[g],
                      .inputs = p->trace->goal_inputs[g]};
    add_visits(p, &step, goal_of(p->model, error, g)->edge);
  }
  return TARGET_UNORDERED;
}

Plan circ_plan(const CircTrace *trace, Solver *solver, const CircErrorLabel *error,
               const TtsRun *run, Arena *arena) {
  const CircModel *model = trace->predicates->model;
  Planner p = {.trace = trace, .model = model, .solver = solver};
  uint32_t threads = trace->threads.len;
  p.words = mem_alloc_zero((threads + 1) * sizeof *p.words);
  begin(&p);
  for (uint32_t i = 0; i < trace->steps.len; i++) add_step(&p, &trace->steps.data[i]);
  PlanTarget target = add_goals(&p, error, run);
  GuideStep *steps = arena_alloc(arena, (p.steps.len + 1) * sizeof *steps);
  GuideValues *values = arena_alloc_zero(arena, (threads + 1) * sizeof *values);
  if (p.steps.len) memcpy(steps, p.steps.data, p.steps.len * sizeof *steps);
  for (uint32_t t = 0; t < threads; t++) {
    uint64_t *words = arena_alloc(arena, (p.words[t].len + 1) * sizeof *words);
    if (p.words[t].len) memcpy(words, p.words[t].data, p.words[t].len * sizeof *words);
    values[t] = (GuideValues){t, words, p.words[t].len};
    vec_free(&p.words[t]);
  }
  Plan plan = {.steps = steps,
               .step_count = p.steps.len,
               .target = target,
               .values = values,
               .value_count = threads,
               .all_threads = threads};
  for (uint32_t g = 0; g < error->count; g++) {
    plan.threads[g] = run->racers[g];
    plan.edges[g] = goal_of(model, error, g)->edge;
  }
  mem_free(p.words);
  vec_free(&p.steps);
  map_free(&p.value);
  return plan;
}
