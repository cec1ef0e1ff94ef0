/* See property.h.
 *
 * Orders are asked for in up to four ways: shortest ones and ones found with partial
 * order reduction, first with atomic variables that keep their values, then blindly,
 * where only a replay can tell whether the program still goes the same way. */
#include "predict/property.h"

#include "csp/csp.h"
#include "predict/deadline.h"
#include "predict/drive.h"
#include "predict/script.h"
#include "predict/window.h"

#include <stdlib.h>
#include <string.h>

enum {
  QUICK_STATES = 300000, /* for the first, unreduced try */
  STATES_FACTOR = 50,    /* of the limit for one situation: here is only one question */
  MEMORY_GIB = 4,
};

typedef struct {
  bool blind, reduce;
} Way;

static const Way ways[] = {{false, false}, {false, true}, {true, false}, {true, true}};

enum { ANSWER_FAILS = 1, ANSWER_UNDECIDED = 2 };

typedef struct {
  const Run *run;
  const PredictOptions *o;
  Predictions *ret;
  Err *err;
  StrMap declared;      /* by the user's file */
  Window window;        /* of the run that is asked about now */
  StepOrder order;      /* of the last schedule */
  VEC(uint8_t) answers; /* per assertion: bits */
  bool too_large;       /* for a script */
} Checker;

static const char *way_name(const Way *way) {
  if (way->blind) return way->reduce ? "csp, blind, reduced" : "csp, blind";
  return way->reduce ? "csp, reduced" : "csp";
}

static bool time_is_over(const Checker *c) {
  return deadline_over(c->o->deadline);
}

/* ---- scripts ---------------------------------------------------------------------- */

static const char *const script_name = "the model of the run";

/* What replays taught, and memory for it. */
typedef struct {
  Arena *arena;
  VEC(ScriptLesson) all;
} Lessons;

/* False when the model is too large for a script. */
static bool write_script(const Run *run, Window window, const StrMap *declared,
                         bool blind, const Lessons *lessons, Str *out) {
  uint32_t count = lessons ? lessons->all.len : 0;
  RunModel model;
  ScriptWorld world = {0};
  ScriptShape shape = {.tag = "", .prefix = window.begin};
  uint32_t *length = mem_alloc_zero((run->threads.len + 1) * sizeof *length);
  window_lengths(run, window.end, length);
  bool fits = run_model_init(&model, run, length, blind);
  if (fits) {
    script_world_of_model(&model, &world);
    script_add_world(&world, declared, out);
    fits = script_add_model(&model, count ? "EVERY_ORDER" : "PROGRAM", &shape, out);
    if (count) script_add_lessons("EVERY_ORDER", lessons->all.data, count, out);
  }
  mem_free(length);
  script_world_free(&world);
  run_model_free(&model);
  return fits;
}

/* ---- from a counterexample to an order --------------------------------------------- */

/* The steps behind the events. False when one of them is no step that could come there:
 * the property renames events. */
static bool order_of(const Checker *c, const CspResult *result, StepOrder *order,
                     Schedule *names) {
  RunModel model;
  StrMap events = {0};
  bool ok = run_model_init(&model, c->run, NULL, true);
  uint32_t *next = mem_alloc_zero((c->run->threads.len + 1) * sizeof *next);
  for (uint32_t i = 0; i < model.events.len; i++)
    strmap_put(&events, model.events.data[i].name, i + 1);
  for (uint32_t i = 0; ok && i < result->step_count; i++) {
    uint64_t found = strmap_find(&events, result->steps[i].origin, 0);
    if (!found) continue; /* of the property's own */
    uint32_t t = model.events.data[found - 1].thread;
    const RunThread *thread = &c->run->threads.data[t];
    ok = next[t] < thread->steps.len &&
         str_eq(model.events.data[model.event_of[thread->steps.data[next[t]]]].name,
                result->steps[i].origin);
    if (!ok) break;
    vec_push(order, thread->steps.data[next[t]++]);
    vec_push(&names->names, arena_strdup(names->arena, result->steps[i].origin));
  }
  mem_free(next);
  strmap_free(&events);
  run_model_free(&model);
  return ok;
}

/* Each kind once, however many units of the program have it. */
static void add_kinds(Schedule *s, const Trace *trace) {
  for (uint32_t i = 0; i < trace->kinds.len; i++) {
    const char *text = trace->kinds.data[i].text;
    bool known = false;
    for (uint32_t k = 0; k < s->kinds.len; k++) known |= str_eq(s->kinds.data[k], text);
    if (!known) vec_push(&s->kinds, arena_strdup(s->arena, text));
  }
}

static bool make_schedule(Checker *c, const CspResult *result, uint32_t index,
                          Schedule *s, Err *err) {
  Schedule names;
  schedule_init(&names);
  vec_clear(&c->order);
  bool ok = order_of(c, result, &c->order, &names);
  schedule_free(s);
  schedule_init(s);
  if (ok) {
    schedule_from_order(s, c->run, &c->order, NULL);
    for (uint32_t i = 0; i < names.names.len; i++)
      vec_push(&s->names, arena_strdup(s->arena, names.names.data[i]));
    char *full = realpath(c->o->property, NULL);
    s->rule = arena_strdup(s->arena, full ? full : c->o->property);
    free(full);
    s->rule_index = index;
    s->property = result->refusal ? "user-deadlock" : "user";
    add_kinds(s, c->run->trace);
  }
  schedule_free(&names);
  return ok && (!c->o->program || schedule_set_program(s, c->o->program, err));
}

/* ---- judging a replay -------------------------------------------------------------- */

static uint32_t thread_field(const char *name) {
  const char *dot = strchr(name, '.');
  return dot ? (uint32_t)strtoul(dot + 1, NULL, 10) : 0;
}

/* The events that were seen, in their order. */
static void seen_names(const Schedule *s, const Control *control, Arena *arena,
                       ScriptWorld *world) {
  const ControlSeen *seen = drive_seen(control);
  for (uint32_t i = 0; i < control->at && i < s->names.len && i < s->steps.len; i++) {
    const char *name = s->names.data[i];
    if (seen[i].op == TRACE_EVENT) {
      char kind[TRACE_EVENT_TEXT];
      Str text = {0};
      memcpy(kind, seen[i].text, sizeof kind);
      kind[sizeof kind - 1] = 0;
      trace_add_event(kind, thread_field(name), seen[i].value, &text);
      name = arena_strndup(arena, str_text(&text), text.len);
      str_free(&text);
    }
    vec_push(&world->names, name);
  }
}

bool property_judge(const Schedule *s, const Control *control, bool *ret_fails, Str *why,
                    Err *err) {
  ScriptWorld world = {0};
  StrMap declared = {0};
  Str text = {0};
  Arena *arena = arena_new();
  CspResult result = {0};
  *ret_fails = false;
  bool ok = script_scan(s->rule, &declared, err);
  seen_names(s, control, arena, &world);
  uint32_t count = world.names.len;
  for (uint32_t i = 0; i < s->names.len; i++) vec_push(&world.names, s->names.data[i]);
  for (uint32_t i = 0; i < s->kinds.len; i++) vec_push(&world.kinds, s->kinds.data[i]);
  for (uint32_t i = 0; i < world.names.len; i++) {
    uint32_t t = thread_field(world.names.data[i]);
    if (t >= world.threads) world.threads = t + 1;
  }
  bool stuck = control->outcome == CONTROL_DEADLOCK;
  script_add_world(&world, &declared, &text);
  script_add_run(world.names.data, count, stuck, &text);
  script_add_include(s->rule, false, &text);
  CspOptions options = {.memory = (uint64_t)MEMORY_GIB << 30};
  CspScriptHandle *script =
      ok ? csp_open("the replayed run", str_text(&text), text.len, &options, err) : NULL;
  ok = script != NULL;
  if (ok && s->rule_index >= csp_assert_count(script))
    ok = err_input(err, s->rule, "give the file with which it was found",
                   "the property has fewer assertions than the schedule says");
  if (ok) ok = csp_check(script, s->rule_index, &result, err);
  *ret_fails = ok && result.verdict == CSP_FAILS && (stuck || !result.refusal);
  if (ok && why && result.why) str_add(why, result.why);
  csp_result_free(&result);
  csp_close(script);
  strmap_free(&declared);
  script_world_free(&world);
  arena_free(arena);
  str_free(&text);
  return ok;
}

/* ---- one assertion ----------------------------------------------------------------- */

/* A failure that no run of the program can show is a fault of the property. */
static bool check_sense(const Checker *c, CspScriptHandle *script, uint32_t index,
                        const CspResult *r, const Schedule *s) {
  const char *file = csp_assert_file(script, index);
  int line = (int)csp_assert_line(script, index);
  if (r->negated)
    return err_set(c->err, ERR_INPUT, file, line, 1, "say what must not happen instead",
                   "an assertion with `not` that fails says nothing about one run");
  if (!r->has_trace || (!s->steps.len && !r->refusal))
    return err_set(c->err, ERR_INPUT, file, line, 1, "let the assertion be about PROGRAM",
                   "this assertion fails without a step of the program");
  return true;
}

static bool replay(Checker *c, Prediction *x, const CspResult *result) {
  Control *control = NULL;
  bool fails = false;
  Str why = {0};
  x->state = PREDICT_OPEN;
  if (!c->o->replay) {
    str_add(&why, result->why ? result->why : "");
    mem_free(x->why);
    x->why = str_take(&why);
    return true;
  }
  x->tries++;
  progress_step(c->o->progress, 1, "replaying");
  if (!c->o->replay(c->o->user, &x->schedule, &control, c->err)) return false;
  mem_free(x->shown);
  x->shown = control;
  bool ok = property_judge(&x->schedule, control, &fails, &why, c->err);
  if (fails)
    x->state = PREDICT_REPLAYED;
  else if (control->outcome == CONTROL_DIVERGED || control->outcome == CONTROL_FOLLOWED)
    x->state = PREDICT_DROPPED;
  mem_free(x->why);
  x->why = str_take(&why);
  return ok;
}

typedef struct {
  CspScriptHandle *script[sizeof ways / sizeof *ways];
} Scripts;

/* NULL without an error when the run is too large. */
static CspScriptHandle *open_script(Checker *c, const Way *way, const Lessons *lessons) {
  Str text = {0};
  uint64_t most = c->o->limits.search_states * STATES_FACTOR;
  CspOptions options = {.states =
                            way->reduce || most < QUICK_STATES ? most : QUICK_STATES,
                        .memory = (uint64_t)MEMORY_GIB << 30,
                        .reduce = way->reduce,
                        .stop = c->o->limits.stop};
  CspScriptHandle *script = NULL;
  if (write_script(c->run, c->window, &c->declared, way->blind, lessons, &text)) {
    script_add_include(c->o->property, false, &text);
    script = csp_open(script_name, str_text(&text), text.len, &options, c->err);
  }
  str_free(&text);
  return script;
}

static CspScriptHandle *script_of(Checker *c, Scripts *all, uint32_t w) {
  if (!all->script[w]) all->script[w] = open_script(c, &ways[w], NULL);
  return all->script[w];
}

static bool has_atomics(const Run *run) {
  for (uint32_t i = 0; i < run->objects.len; i++)
    if (run->objects.data[i].kind == OBJECT_ATOMIC) return true;
  return false;
}

/* One counterexample of one way. *ret_verdict is that of the checker. */
static bool try_once(Checker *c, CspScriptHandle *script, uint32_t index, uint32_t w,
                     Prediction *x, bool *any, CspVerdict *ret_verdict) {
  CspResult result;
  bool ok = csp_check(script, index, &result, c->err);
  *ret_verdict = ok ? result.verdict : CSP_UNDECIDED;
  if (ok && result.verdict == CSP_FAILS) {
    Schedule before = x->schedule;
    schedule_init(&x->schedule);
    bool made = make_schedule(c, &result, index, &x->schedule, c->err);
    ok = (made || c->err->kind == ERR_NONE) &&
         check_sense(c, script, index, &result, &x->schedule);
    schedule_free(&before);
    x->way = way_name(&ways[w]);
    *any |= ok;
    if (ok && made)
      ok = replay(c, x, &result);
    else
      x->state = PREDICT_OPEN;
  }
  csp_result_free(&result);
  return ok;
}

/* The step at which the replay was not as predicted, or UINT32_MAX. */
static uint32_t first_difference(const Prediction *x) {
  ScriptWorld world = {0};
  Arena *arena = arena_new();
  const Schedule *s = &x->schedule;
  seen_names(s, x->shown, arena, &world);
  uint32_t i = 0;
  while (i < world.names.len && str_eq(world.names.data[i], s->names.data[i])) i++;
  bool differs =
      i < world.names.len || (x->shown->outcome == CONTROL_DIVERGED && i < s->names.len);
  script_world_free(&world);
  arena_free(arena);
  return differs ? i : UINT32_MAX;
}

/* The objects that a thread has touched in the first `count` steps of the order. */
static void touched(const Run *run, const StepOrder *order, uint32_t count,
                    uint32_t thread, Map *ret) {
  for (uint32_t i = 0; i < count; i++) {
    const Step *s = &run->steps.data[order->data[i]];
    if (s->thread != thread) continue;
    if (s->object) *map_at(ret, s->object) = 1;
    if (s->lock) *map_at(ret, s->lock) = 1;
  }
}

static bool is_at(const Step *s, const Map *objects) {
  return (s->object && map_get(objects, s->object)) ||
         (s->lock && map_get(objects, s->lock));
}

/* A thread that does not do its step goes by what it has seen: by what happened at the
 * objects that it touched. False when there is nothing to learn. */
static bool learn(const Checker *c, Lessons *lessons, const Prediction *x) {
  uint32_t at = x->shown ? first_difference(x) : UINT32_MAX;
  if (at == UINT32_MAX || at >= c->order.len) return false;
  const Run *run = c->run;
  RunModel model;
  Map objects = {0}, known = {0};
  ScriptLesson lesson = {.never =
                             arena_strdup(lessons->arena, x->schedule.names.data[at])};
  touched(run, &c->order, at, run->steps.data[c->order.data[at]].thread, &objects);
  bool fits = run_model_init(&model, run, NULL, true) && objects.len;
  for (uint32_t i = 0; fits && i < run->steps.len; i++) {
    uint32_t event = model.event_of[i];
    if (!is_at(&run->steps.data[i], &objects) || map_get(&known, event)) continue;
    map_put(&known, event, 1);
    vec_push(&lesson.watched,
             arena_strdup(lessons->arena, model.events.data[event].name));
  }
  for (uint32_t i = 0; fits && i < at; i++)
    if (is_at(&run->steps.data[c->order.data[i]], &objects))
      vec_push(&lesson.history, arena_strdup(lessons->arena, x->schedule.names.data[i]));
  vec_push(&lessons->all, lesson);
  run_model_free(&model);
  map_free(&objects);
  map_free(&known);
  return fits;
}

/* Counterexamples of one way until one shows, each without what the replays before it
 * taught. What a run refuses is not sought again. */
static bool try_way(Checker *c, CspScriptHandle *script, uint32_t index, uint32_t w,
                    Prediction *x, bool *any, CspVerdict *ret_verdict) {
  Lessons lessons = {.arena = arena_new()};
  bool ok = try_once(c, script, index, w, x, any, ret_verdict);
  for (uint32_t i = 1; ok && i < c->o->orders && c->o->replay; i++) {
    if (*ret_verdict != CSP_FAILS || x->state != PREDICT_DROPPED || time_is_over(c) ||
        !str_eq(x->schedule.property, "user") || !learn(c, &lessons, x))
      break;
    CspScriptHandle *next = open_script(c, &ways[w], &lessons);
    ok = next && try_once(c, next, index, w, x, any, ret_verdict);
    csp_close(next);
  }
  for (uint32_t i = 0; i < lessons.all.len; i++) {
    vec_free(&lessons.all.data[i].watched);
    vec_free(&lessons.all.data[i].history);
  }
  vec_free(&lessons.all);
  arena_free(lessons.arena);
  return ok;
}

static bool check_one(Checker *c, Scripts *all, uint32_t index) {
  CspScriptHandle *first = all->script[0];
  Prediction x = {.property = PROPERTY_RULE};
  bool ok = true, any = false, undecided = false;
  x.rule = str_dup(csp_assert_text(first, index));
  x.rule_file = str_dup(csp_assert_file(first, index));
  x.rule_line = csp_assert_line(first, index);
  schedule_init(&x.schedule);
  CspVerdict verdicts[2] = {CSP_UNDECIDED, CSP_UNDECIDED}; /* strict, blind */
  for (uint32_t w = 0; ok && w < sizeof ways / sizeof *ways; w++) {
    if (x.state == PREDICT_REPLAYED || (!c->o->replay && any)) break;
    if (ways[w].blind && (c->o->as_recorded || !has_atomics(c->run))) break;
    if (ways[w].reduce && verdicts[ways[w].blind] == CSP_HOLDS) continue;
    if (time_is_over(c)) {
      undecided = true;
      break;
    }
    CspScriptHandle *script = script_of(c, all, w);
    ok = script && try_way(c, script, index, w, &x, &any, &verdicts[ways[w].blind]);
  }
  undecided |= verdicts[0] == CSP_UNDECIDED;
  if (ok && undecided && x.state != PREDICT_REPLAYED)
    c->answers.data[index] |= ANSWER_UNDECIDED;
  if (ok && any) c->answers.data[index] |= ANSWER_FAILS;
  if (ok && any)
    vec_push(&c->ret->predictions, x);
  else
    prediction_free(&x);
  return ok;
}

/* All assertions, for the window of the run; those that failed before are not asked again. */
static bool check_window(Checker *c) {
  Scripts all = {0};
  CspScriptHandle *first = script_of(c, &all, 0);
  bool ok = first || c->err->kind == ERR_NONE;
  uint32_t count = first ? csp_assert_count(first) : 0;
  if (!first) c->too_large = true;
  if (first && !count)
    ok = err_input(c->err, c->o->property, "write `assert SPEC [T= PROGRAM`",
                   "the property asserts nothing");
  if (c->answers.len < count) (void)vec_extend(&c->answers, count - c->answers.len);
  for (uint32_t i = 0; ok && i < count; i++) {
    if (!(c->answers.data[i] & ANSWER_FAILS)) ok = check_one(c, &all, i);
    progress_step(c->o->progress, 1, NULL);
  }
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) csp_close(all.script[i]);
  return ok;
}

static bool check_windows(Checker *c, uint32_t width) {
  uint32_t count = window_count(c->run, width);
  bool ok = true;
  progress_phase(c->o->progress, "property", count);
  for (uint32_t i = 0; ok && i < count && !(i && time_is_over(c)); i++) {
    c->window = window_at(c->run, width, i);
    ok = check_window(c);
  }
  return ok;
}

static uint32_t count_undecided(const Checker *c) {
  uint32_t undecided = 0;
  for (uint32_t i = 0; i < c->answers.len; i++)
    undecided += (c->answers.data[i] & ANSWER_UNDECIDED) != 0;
  return undecided || !c->too_large ? undecided : 1;
}

/* What is not decided for the whole run is looked for in its windows; that it is in none of them
 * decides nothing. */
bool property_predict(const Run *run, const PredictOptions *options, Predictions *ret,
                      Err *err) {
  enum { PART = 1000 }; /* events */
  Checker c = {.run = run, .o = options, .ret = ret, .err = err};
  bool ok = script_scan(options->property, &c.declared, err) &&
            check_windows(&c, options->window);
  if (ok && !options->window && count_undecided(&c) && run->trace->events.len > 2 * PART)
    ok = check_windows(&c, PART);
  ret->stats.property_undecided += ok ? count_undecided(&c) : 0;
  vec_free(&c.answers);
  strmap_free(&c.declared);
  vec_free(&c.order);
  return ok;
}
