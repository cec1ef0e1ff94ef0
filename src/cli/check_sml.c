/* See check_sml.h. */
#include "cli/check_sml.h"

#include "base/str.h"
#include "engine/advise.h"
#include "net/program.h"

bool check_sml_wanted(const SourceOptions *source) {
  for (uint32_t i = 0; i < source->inputs.len; i++)
    if (str_ends(source->inputs.data[i], ".sml")) return true;
  return false;
}

bool check_sml_alone(const SourceOptions *source, bool petri, const char *explain,
                     Err *err) {
  if (source->inputs.len > 1)
    return err_input(err, NULL, "check it alone", "a .sml program has no other parts");
  if (source->entries || source->harness || source->rules.len || explain)
    return err_input(err, source->inputs.data[0], "leave it out",
                     "--entry, --harness, --rules and --explain are for programs in C");
  return petri || err_input(err, source->inputs.data[0], "add petri to --engine",
                            "only the engine petri knows .sml programs");
}

static SourcePlace place_of(const SmlRequest *request, const ProgramStep *step) {
  return (SourcePlace){.file = request->file, .line = step->line};
}

/* What the thread has acquired and not released in all of its steps. */
static void add_locks(const ProgramAnswer *answer, Arena *arena, FoundAccess *access) {
  const char **held = arena_alloc(arena, (answer->step_count + 1) * sizeof *held);
  for (uint32_t i = 0; i < answer->step_count; i++) {
    const ProgramStep *x = &answer->steps[i];
    if (!str_eq(x->thread, access->thread)) continue;
    if (str_eq(x->verb, "acquire")) held[access->lock_count++] = x->object;
    for (uint32_t k = access->lock_count; k-- > 0 && str_eq(x->verb, "release");)
      if (str_eq(held[k], x->object)) {
        held[k] = held[--access->lock_count];
        break;
      }
  }
  access->locks = held;
}

static void add_race(const SmlRequest *request, const ProgramAnswer *answer,
                     CheckResult *result) {
  enum { PAIR = 2 };
  FoundAccess *accesses = arena_alloc_zero(result->arena, PAIR * sizeof *accesses);
  FoundStep *steps = arena_alloc(result->arena, (answer->step_count + 1) * sizeof *steps);
  for (uint32_t i = 0; i < PAIR; i++) {
    accesses[i] = (FoundAccess){.thread = answer->accesses[i].thread,
                                .kind = answer->accesses[i].verb,
                                .place = place_of(request, &answer->accesses[i])};
    add_locks(answer, result->arena, &accesses[i]);
  }
  for (uint32_t i = 0; i < answer->step_count; i++) {
    const ProgramStep *x = &answer->steps[i];
    steps[i] = (FoundStep){.thread = x->thread,
                           .op = x->verb,
                           .object = *x->object ? x->object : NULL,
                           .place = place_of(request, x)};
  }
  vec_push(&result->findings,
           ((Finding){.property = PROPERTY_RACE,
                      .verdict = VERDICT_UNSAFE,
                      .evidence = EVIDENCE_FEASIBLE,
                      .engine = "petri",
                      .name = answer->variable,
                      .accesses = accesses,
                      .access_count = PAIR,
                      .steps = steps,
                      .step_count = answer->step_count,
                      .why = arena_printf(result->arena,
                                          "%s and %s come to these accesses at the same "
                                          "time",
                                          accesses[0].thread, accesses[1].thread),
                      .fix = advise_race(accesses, answer->variable, result->arena)}));
}

/* A race on one variable says nothing of the others. */
static void add_locations(const ProgramAnswer *answer, CheckResult *result) {
  for (uint32_t i = 0; i < answer->variable_count; i++) {
    const char *name = answer->variables[i];
    bool race = answer->unsafe && str_eq(name, answer->variable);
    vec_push(&result->locations, ((Location){.name = name,
                                             .verdict = race           ? VERDICT_UNSAFE
                                                        : answer->safe ? VERDICT_SAFE
                                                                       : VERDICT_UNKNOWN,
                                             .reason = race           ? REASON_RACE
                                                       : answer->safe ? REASON_PROVED
                                                                      : REASON_UNDECIDED,
                                             .engine = "petri"}));
  }
}

bool check_sml(const SmlRequest *request, const Program *program, CheckResult *result,
               bool *ret_certified, Err *err) {
  NetLimits limits = {.deadline = net_clock() + (uint64_t)(request->seconds * 1e9),
                      .memory = request->memory,
                      .progress = &request->screen->progress,
                      .log = &request->screen->log};
  ProgramAnswer answer;
  result_init(result, program);
  for (int p = 0; p < PROPERTY_COUNT; p++) result->asked[p] = request->properties[p];
  if (request->all) result->asked[PROPERTY_RACE] = true;
  bool ok = net_check_program(request->file, &limits, request->certificate, result->arena,
                              &answer, err);
  progress_end(&request->screen->progress);
  if (!ok) return false;
  *ret_certified = request->certificate && !answer.reason;
  if (result->asked[PROPERTY_RACE]) {
    if (answer.unsafe) add_race(request, &answer, result);
    add_locations(&answer, result);
    result->verdicts[PROPERTY_RACE] = answer.safe     ? VERDICT_SAFE
                                      : answer.unsafe ? VERDICT_UNSAFE
                                                      : VERDICT_UNKNOWN;
    result->unknown_because[PROPERTY_RACE] = answer.reason;
  }
  result->verdicts[PROPERTY_ASSERT] = VERDICT_SAFE; /* the language has none */
  if (result->asked[PROPERTY_DEADLOCK])
    result->unknown_because[PROPERTY_DEADLOCK] =
        "deadlocks are not looked for in .sml programs";
  result_complete(result);
  return true;
}
