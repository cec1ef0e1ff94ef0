/* From predictions, which speak of addresses and steps, to findings, which speak of sources:
 * names for addresses, places for code. The reports of `heddle check` tell the result.
 *
 * What a step acts on is named once for each address. The origin of a heap block is sought
 * in the trace from its end, which takes as long as the trace is, so that is done for a
 * bounded number of addresses; others are told as numbers. */
#include "cli/run_report.h"

#include "verdict/result.h"

enum { MOST_SEARCHES = 64 };

typedef struct {
  const RunReport *r;
  Arena *arena;
  Map names; /* address → const char * */
  uint32_t searches;
} Teller;

static const char *name_of(Teller *t, uint64_t address) {
  uint64_t *known = map_at(&t->names, address);
  if (*known) return (const char *)(uintptr_t)*known;
  Str text = {0};
  if (!places_add_variable(t->r->places, address, &text)) {
    if (t->searches++ < MOST_SEARCHES)
      run_add_name(t->r, address, &text);
    else
      str_addf(&text, "0x%llx", (unsigned long long)address);
  }
  const char *name = arena_strdup(t->arena, str_text(&text));
  *map_at(&t->names, address) = (uint64_t)(uintptr_t)name;
  str_free(&text);
  return name;
}

static const char *thread_of(Teller *t, const Schedule *s, uint32_t number) {
  return arena_strdup(t->arena, run_schedule_thread(s, number));
}

static SourcePlace place_at(Teller *t, uint64_t pc) {
  Place place = places_find(t->r->places, pc);
  if (!place.file || place.line <= 0) return (SourcePlace){.function = place.function};
  return (SourcePlace){.file = place.file,
                       .line = (uint32_t)place.line,
                       .column = place.column > 0 ? (uint32_t)place.column : 0,
                       .function = place.function};
}

static RecordedAccess *recorded_of(Teller *t, const char *thread) {
  RecordedAccess *a = arena_alloc_zero(t->arena, sizeof *a);
  const TraceEvent *e = run_creation(t->r->trace, thread);
  if (!e) return a;
  a->creator = t->r->trace->threads.data[e->thread].name;
  a->created = place_at(t, e->pc);
  return a;
}

/* What a replay, or the recording, saw of a thread. */
static FoundAccess access_of(Teller *t, const Schedule *s, const ControlPlace *p,
                             bool race) {
  const char **locks = arena_alloc(t->arena, (p->lock_count + 1) * sizeof *locks);
  for (uint32_t i = 0; i < p->lock_count; i++) locks[i] = name_of(t, p->locks[i]);
  const char *thread = thread_of(t, s, p->thread);
  RecordedAccess *recorded = recorded_of(t, thread);
  SourcePlace *stack = arena_alloc(t->arena, (p->frame_count + 1) * sizeof *stack);
  recorded->stack = stack;
  for (uint32_t i = 0; i < p->frame_count; i++) {
    SourcePlace caller = place_at(t, p->frames[i]);
    /* of the C library, which calls main and the threads, nothing is known */
    if (caller.file || caller.function) stack[recorded->stack_count++] = caller;
  }
  recorded->has_stack = true;
  if (race) {
    recorded->size = p->size;
    recorded->has_value = p->size <= 8;
    recorded->value = p->value;
  } else if (p->owner != CONTROL_NO_THREAD) {
    recorded->owner = thread_of(t, s, p->owner);
  }
  FoundAccess a = {.thread = thread,
                   .kind = race ? run_access_word(p) : trace_op_word((TraceOp)p->op),
                   .place = place_at(t, p->pc),
                   .locks = locks,
                   .lock_count = p->lock_count,
                   .recorded = recorded};
  if (!race)
    a.object = p->op == TRACE_JOIN ? thread_of(t, s, p->owner) : name_of(t, p->object);
  return a;
}

static FoundAccess predicted_access(Teller *t, const RaceAccess *a,
                                    const uint64_t *locks) {
  const char *thread = t->r->trace->threads.data[a->thread].name;
  const char **names = arena_alloc(t->arena, OBSERVED_LOCKS * sizeof *names);
  uint32_t count = 0;
  for (; locks && count < OBSERVED_LOCKS && locks[count]; count++)
    names[count] = name_of(t, locks[count]);
  return (FoundAccess){.thread = thread,
                       .kind = run_predicted_word(a),
                       .place = place_at(t, a->pc),
                       .locks = names,
                       .lock_count = count,
                       .recorded = recorded_of(t, thread)};
}

/* Of a property: the event with which it fails. */
static FoundAccess last_event(Teller *t, const Schedule *s) {
  uint32_t last = s->steps.len - 1;
  RecordedAccess *recorded = arena_alloc_zero(t->arena, sizeof *recorded);
  if (last < s->names.len) recorded->event = arena_strdup(t->arena, s->names.data[last]);
  return (FoundAccess){.thread = thread_of(t, s, s->steps.data[last].thread),
                       .kind = trace_op_word((TraceOp)s->steps.data[last].op),
                       .place =
                           place_at(t, last < s->places.len ? s->places.data[last] : 0),
                       .recorded = recorded};
}

static void tell_accesses(Teller *t, const Prediction *x, Finding *ret) {
  FoundAccess *all = arena_alloc_zero(t->arena, (CONTROL_STUCK + 2) * sizeof *all);
  uint32_t n = 0;
  bool race = x->property == PROPERTY_RACE;
  if (x->property == PROPERTY_RULE && !(x->shown && x->shown->stuck_count)) {
    if (x->schedule.steps.len) all[n++] = last_event(t, &x->schedule);
  } else if (x->state == PREDICT_REPLAYED && race) {
    for (int i = 0; i < 2; i++)
      all[n++] = access_of(t, &x->schedule, &x->shown->places[i], true);
  } else if (x->state == PREDICT_REPLAYED) {
    for (uint32_t i = 0; x->shown && i < x->shown->stuck_count; i++)
      all[n++] = access_of(t, &x->schedule, &x->shown->stuck[i], false);
  } else if (race) {
    all[n++] = predicted_access(t, &x->pair.a, x->seen ? x->observed.locks[0] : NULL);
    all[n++] = predicted_access(t, &x->pair.b, x->seen ? x->observed.locks[1] : NULL);
  }
  ret->accesses = all;
  ret->access_count = n;
}

static FoundStep step_of(Teller *t, const Schedule *s, uint32_t i) {
  const ControlStep *x = &s->steps.data[i];
  FoundStep step = {.thread = thread_of(t, s, x->thread),
                    .op = trace_op_word((TraceOp)x->op)};
  if (x->op == TRACE_EVENT && i < s->names.len)
    step.op = arena_strdup(t->arena, s->names.data[i]);
  if (i < s->objects.len && s->objects.data[i].thread != CONTROL_NO_THREAD)
    step.object = thread_of(t, s, s->objects.data[i].thread);
  else if (i < s->objects.len && s->objects.data[i].address)
    step.object = name_of(t, s->objects.data[i].address);
  if (step.object && s->objects.data[i].thread == CONTROL_NO_THREAD)
    step.id = s->objects.data[i].address;
  /* A thread starts where its routine begins, which is no place of a call. */
  if (i < s->places.len && s->places.data[i])
    step.place = place_at(t, s->places.data[i] + (x->op == TRACE_START));
  return step;
}

/* The steps of the schedule, and what they lead to. */
static void tell_steps(Teller *t, const Schedule *s, Finding *ret) {
  FoundStep *steps =
      arena_alloc_zero(t->arena, (s->steps.len + ret->access_count + 1) * sizeof *steps);
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->steps.len; i++) steps[n++] = step_of(t, s, i);
  bool race = ret->property == PROPERTY_RACE;
  for (uint32_t i = 0; i < ret->access_count; i++) {
    const FoundAccess *a = &ret->accesses[i];
    if (ret->property == PROPERTY_RULE && !a->recorded->has_stack)
      continue; /* that is the last step itself */
    const char *op = race ? a->kind : arena_printf(t->arena, "blocked: %s", a->kind);
    steps[n++] = (FoundStep){.thread = a->thread,
                             .op = op,
                             .object = race ? ret->name : a->object,
                             .place = a->place};
  }
  ret->steps = steps;
  ret->step_count = n;
}

/* A deadlock is named by what the threads wait for. */
static const char *deadlock_name(Teller *t, const Finding *f) {
  Str text = {0};
  for (uint32_t i = 0; i < f->access_count; i++) {
    const char *object = f->accesses[i].object;
    bool before = !object || str_eq(f->accesses[i].kind, "join");
    for (uint32_t k = 0; k < i && !before; k++)
      before = f->accesses[k].object && str_eq(f->accesses[k].object, object);
    if (!before) str_addf(&text, "%s%s", text.len ? ", " : "", object);
  }
  const char *name = arena_strdup(t->arena, text.len ? str_text(&text) : "threads");
  str_free(&text);
  return name;
}

/* Who might still release the threads; see rt_outside.c. */
const char *run_why_waiting(const Control *shown) {
  switch ((ControlOutside)shown->diverged_op) {
  case CONTROL_HANDLER:
    return "all threads wait, but a signal handler of the program might release them";
  case CONTROL_TASK:
    return "all known threads wait, but the program has others, which might release them";
  case CONTROL_SHARED:
    return "all threads wait, but for something in shared memory, which another process "
           "might release";
  default: return "all threads wait";
  }
}

static const char *why_observed(const Prediction *x) {
  switch (x->observed.doubt) {
  case OBSERVED_STRANGER:
    return "nothing that was seen orders the two, but nobody was seen to create one of the "
           "threads";
  case OBSERVED_CALL:
    return "nothing that is understood orders the two, but one thread came back from a "
           "call that may have waited for the other";
  case OBSERVED_LIBRARY:
    return "nothing that was seen orders the two, but no replay brought them together, and "
           "the program has a library that was not built with `heddle cc`, whose locks are "
           "not seen";
  case OBSERVED_UNKNOWN:
    return "nothing that is understood orders the two, but a signal, or a value that "
           "nobody was seen to write, may have";
  case OBSERVED_CERTAIN: break;
  }
  return "in the recorded run nothing ordered the two accesses";
}

const char *run_why(const Prediction *x) {
  if (x->property == PROPERTY_RULE)
    return x->why && *x->why ? x->why : "the assertion does not hold in this order";
  if (x->state != PREDICT_REPLAYED && x->shown && x->shown->outcome == CONTROL_WAITING)
    return run_why_waiting(x->shown);
  if (x->state != PREDICT_REPLAYED && x->seen) return why_observed(x);
  if (x->property == PROPERTY_DEADLOCK && x->state != PREDICT_REPLAYED && x->surprised)
    return "an order in which every read sees what it saw leads to a deadlock, but the "
           "program, which was to follow it, took another way";
  if (x->property == PROPERTY_DEADLOCK)
    return "each of the threads waits for something that only the others can give";
  if (x->state == PREDICT_REPLAYED)
    return "both threads stood before their accesses at the same time, and nothing "
           "orders the two";
  if (x->confirmation.refuted) return x->confirmation.refuted;
  if (x->surprised)
    return "an order in which every read sees what it saw leads to both accesses, but the "
           "program, which was to follow it, took another way";
  return "the two accesses are not ordered";
}

static Finding finding_of(Teller *t, uint32_t index) {
  const Prediction *x = &t->r->predictions->predictions.data[index];
  bool shown = x->state == PREDICT_REPLAYED, observed = x->state == PREDICT_OBSERVED;
  RecordedFinding *recorded = arena_alloc_zero(t->arena, sizeof *recorded);
  *recorded =
      (RecordedFinding){.way = x->way,
                        .replays = x->tries,
                        .confirmed = shown && !x->confirmation.refuted,
                        .process = t->r->process ? t->r->recorded->command : NULL};
  Str id = {0};
  run_add_id(t->r, index, &id);
  Finding f = {.id = arena_strdup(t->arena, str_text(&id)),
               .property = x->property,
               .verdict = shown || observed ? VERDICT_UNSAFE : VERDICT_UNKNOWN,
               .evidence = shown      ? EVIDENCE_REPLAYED
                           : observed ? EVIDENCE_OBSERVED
                                      : EVIDENCE_NONE,
               .engine = "predict",
               .why = run_why(x),
               .recorded = recorded};
  str_free(&id);
  tell_accesses(t, x, &f);
  if (x->property == PROPERTY_RULE)
    f.declared = (SourcePlace){.file = x->rule_file, .line = x->rule_line};
  f.name = x->property == PROPERTY_RACE   ? name_of(t, run_raced_address(x))
           : x->property == PROPERTY_RULE ? x->rule
                                          : deadlock_name(t, &f);
  if (x->state != PREDICT_DROPPED && run_has_schedule(x)) tell_steps(t, &x->schedule, &f);
  return f;
}

/* The deadlock that showed while the program was recorded. */
static Finding recorded_deadlock(Teller *t) {
  const Control *c = t->r->recorded;
  Schedule names;
  run_recorded_threads(t->r, &names);
  FoundAccess *all = arena_alloc_zero(t->arena, (c->stuck_count + 1) * sizeof *all);
  for (uint32_t i = 0; i < c->stuck_count; i++)
    all[i] = access_of(t, &names, &c->stuck[i], false);
  Finding f = {.id = "D0",
               .property = PROPERTY_DEADLOCK,
               .verdict = VERDICT_UNSAFE,
               .evidence = EVIDENCE_REPLAYED,
               .engine = "predict",
               .why = "the program deadlocked while it was recorded",
               .accesses = all,
               .access_count = c->stuck_count};
  f.name = deadlock_name(t, &f);
  schedule_free(&names);
  return f;
}

/* ---- the run as a whole ---- */

static void tell_dropped(Teller *t, RecordedRun *run) {
  const Predictions *all = t->r->predictions;
  Finding *dropped = arena_alloc(t->arena, (all->predictions.len + 1) * sizeof *dropped);
  for (uint32_t i = 0; i < all->predictions.len; i++) {
    const Prediction *x = &all->predictions.data[i];
    if (x->state != PREDICT_DROPPED) continue;
    Str why = {0};
    run_add_dropped(t->r, x, &why);
    Finding f = finding_of(t, i);
    f.why = arena_strdup(t->arena, str_text(&why));
    dropped[run->dropped_count++] = f;
    str_free(&why);
  }
  run->dropped = dropped;
}

static void tell_numbers(Teller *t, RecordedRun *run) {
  const RunReport *r = t->r;
  const PredictStats *stats = &r->predictions->stats;
  const ReductionCounts *c = &stats->reductions;
  bool counted = c->accesses && !stats->reductions_cut;
  const RecordedNumber numbers[] = {
      {"threads", (int64_t)stats->threads},
      {"events", (int64_t)stats->events},
      {"accesses", (int64_t)stats->accesses},
      {"candidates", (int64_t)(stats->race_candidates + stats->circles)},
      {"predicted", r->predictions->predictions.len},
      {"replayed", run_count(r, PREDICT_REPLAYED)},
      {"observed", run_count(r, PREDICT_OBSERVED)},
      {"dropped", run_count(r, PREDICT_DROPPED)},
      {"open", run_count(r, PREDICT_OPEN)},
      {"undecided", (int64_t)stats->undecided},
      {"not_tried", (int64_t)(stats->unasked + stats->unexplored)},
      {"hurried", (int64_t)stats->hurried},
      {"replays", (int64_t)stats->replays},
      {"outside_window", (int64_t)stats->distant},
      {"never_ran", run_never_ran(r)},
      {"accepted", r->left_out[SIFT_ACCEPTED]},
      {"suppressed", r->left_out[SIFT_SUPPRESSED]},
      {"known", r->left_out[SIFT_KNOWN]},
      /* these only where they were counted */
      {"memory_events", (int64_t)c->emitted},
      {"removed_by_intervals", (int64_t)c->by_intervals},
      {"removed_by_hybrid", (int64_t)c->by_hybrid},
      {"removed_by_segments", (int64_t)c->by_segments},
      {"checks_redundant", (int64_t)c->redundant},
      {"checks", (int64_t)(c->checks - c->redundant)}};
  enum { ALL = sizeof numbers / sizeof *numbers, COUNTED = 6 };
  run->numbers = arena_dup(t->arena, numbers, sizeof numbers);
  run->number_count = counted ? ALL : ALL - COUNTED;
}

static const RecordedRun *tell_run(Teller *t) {
  const RunReport *r = t->r;
  RecordedRun *run = arena_alloc_zero(t->arena, sizeof *run);
  tell_dropped(t, run);
  tell_numbers(t, run);
  run->deadlocked = run_recorded_deadlock(r);
  run->accesses = !r->sync_only;
  if (!r->end) return run;
  Str how = {0};
  proc_describe(r->end, &how);
  run->ended = arena_strdup(t->arena, str_text(&how));
  run->exited = r->end->end == PROC_EXITED;
  run->status = r->end->code;
  str_free(&how);
  return run;
}

void run_tell(const RunReport *r, CheckResult *ret) {
  result_init(ret, NULL);
  Teller t = {.r = r, .arena = ret->arena};
  ret->seconds = r->seconds;
  if (run_recorded_deadlock(r)) vec_push(&ret->findings, recorded_deadlock(&t));
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++)
    if (r->predictions->predictions.data[i].state != PREDICT_DROPPED)
      vec_push(&ret->findings, finding_of(&t, i));
  for (int p = 0; p < PROPERTY_COUNT; p++) {
    ret->asked[p] = r->asked[p];
    ret->unknown_because[p] = "one run proves nothing about others";
  }
  for (uint32_t i = 0; i < ret->findings.len; i++)
    if (ret->findings.data[i].verdict == VERDICT_UNSAFE)
      ret->verdicts[ret->findings.data[i].property] = VERDICT_UNSAFE;
  ret->recorded = tell_run(&t);
  map_free(&t.names);
}
