/* From predictions to told findings: names for addresses, places for code. See run_tell.h.
 *
 * What a step acts on is named once for each address. The origin of a heap block is sought
 * in the trace from its end, which takes as long as the trace is, so that is done for a
 * bounded number of addresses; others are told as numbers. */
#include "cli/run_report.h"

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

static ToldAccess access_of(Teller *t, const Schedule *s, const ControlPlace *p,
                            bool race) {
  const char **locks = arena_alloc(t->arena, (p->lock_count + 1) * sizeof *locks);
  for (uint32_t i = 0; i < p->lock_count; i++) locks[i] = name_of(t, p->locks[i]);
  ToldAccess a = {.thread = thread_of(t, s, p->thread),
                  .kind = race ? run_access_word(p) : trace_op_word((TraceOp)p->op),
                  .place = places_find(t->r->places, p->pc),
                  .locks = locks,
                  .lock_count = p->lock_count};
  if (!race)
    a.object = p->op == TRACE_JOIN ? thread_of(t, s, p->owner) : name_of(t, p->object);
  return a;
}

static ToldAccess predicted_access(Teller *t, const RaceAccess *a) {
  return (ToldAccess){.thread = t->r->trace->threads.data[a->thread].name,
                      .kind = a->frees   ? "free"
                              : a->write ? "write"
                                         : "read",
                      .place = places_find(t->r->places, a->pc)};
}

static void tell_accesses(Teller *t, const Prediction *x, ToldFinding *ret) {
  ToldAccess *all = arena_alloc_zero(t->arena, (CONTROL_STUCK + 2) * sizeof *all);
  uint32_t n = 0;
  bool race = x->property == PREDICT_RACE;
  if (x->state == PREDICT_REPLAYED && race) {
    for (int i = 0; i < 2; i++)
      all[n++] = access_of(t, &x->schedule, &x->shown->places[i], true);
  } else if (x->state == PREDICT_REPLAYED) {
    for (uint32_t i = 0; x->shown && i < x->shown->stuck_count; i++)
      all[n++] = access_of(t, &x->schedule, &x->shown->stuck[i], false);
  } else if (race) {
    all[n++] = predicted_access(t, &x->pair.a);
    all[n++] = predicted_access(t, &x->pair.b);
  }
  ret->accesses = all;
  ret->access_count = n;
}

/* The steps of the schedule, and what they lead to. */
static void tell_steps(Teller *t, const Schedule *s, ToldFinding *ret) {
  ToldStep *steps =
      arena_alloc_zero(t->arena, (s->steps.len + ret->access_count + 1) * sizeof *steps);
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->steps.len; i++) {
    ToldStep *step = &steps[n++];
    step->thread = thread_of(t, s, s->steps.data[i].thread);
    step->op = trace_op_word((TraceOp)s->steps.data[i].op);
    if (s->steps.data[i].op == TRACE_EVENT && i < s->names.len)
      step->op = arena_strdup(t->arena, s->names.data[i]);
    if (i < s->objects.len && s->objects.data[i].thread != CONTROL_NO_THREAD)
      step->object = thread_of(t, s, s->objects.data[i].thread);
    else if (i < s->objects.len && s->objects.data[i].address)
      step->object = name_of(t, s->objects.data[i].address);
    /* A thread starts where its routine begins, which is no place of a call. */
    if (i < s->places.len && s->places.data[i])
      step->place = places_find(t->r->places,
                                s->places.data[i] + (s->steps.data[i].op == TRACE_START));
  }
  bool race = str_eq(ret->kind, "race");
  for (uint32_t i = 0; i < ret->access_count; i++) {
    const ToldAccess *a = &ret->accesses[i];
    const char *op = race ? a->kind : arena_printf(t->arena, "blocked: %s", a->kind);
    steps[n++] = (ToldStep){a->thread, op, race ? ret->name : a->object, a->place};
  }
  ret->steps = steps;
  ret->step_count = n;
}

/* A deadlock is named by what the threads wait for. */
static const char *deadlock_name(Teller *t, const ToldFinding *f) {
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

const char *run_why(const Prediction *x) {
  if (x->property == PREDICT_PROPERTY)
    return x->why && *x->why ? x->why : "the assertion does not hold in this order";
  if (x->state != PREDICT_REPLAYED && x->shown && x->shown->outcome == CONTROL_WAITING)
    return run_why_waiting(x->shown);
  if (x->property == PREDICT_DEADLOCK)
    return "each of the threads waits for something that only the others can give";
  if (x->state == PREDICT_REPLAYED)
    return "both threads stood before their accesses at the same time, and nothing "
           "orders the two";
  if (x->confirmation.refuted) return x->confirmation.refuted;
  return "the two accesses are not ordered";
}

static void tell_prediction(Teller *t, uint32_t index, ToldFinding *ret) {
  const Prediction *x = &t->r->predictions->predictions.data[index];
  Str id = {0};
  run_add_id(t->r, index, &id);
  *ret = (ToldFinding){.id = arena_strdup(t->arena, str_text(&id)),
                       .kind = run_property_word(x->property),
                       .why = run_why(x),
                       .shown = x->state == PREDICT_REPLAYED};
  str_free(&id);
  tell_accesses(t, x, ret);
  ret->name = x->property == PREDICT_RACE       ? name_of(t, run_raced_address(x))
              : x->property == PREDICT_PROPERTY ? x->rule
                                                : deadlock_name(t, ret);
  tell_steps(t, &x->schedule, ret);
}

static void tell_recorded(Teller *t, ToldFinding *ret) {
  const Control *c = t->r->recorded;
  Schedule names;
  run_recorded_threads(t->r, &names);
  ToldAccess *all = arena_alloc_zero(t->arena, (c->stuck_count + 1) * sizeof *all);
  for (uint32_t i = 0; i < c->stuck_count; i++)
    all[i] = access_of(t, &names, &c->stuck[i], false);
  *ret = (ToldFinding){.id = "D0",
                       .kind = "deadlock",
                       .why = "the program deadlocked while it was recorded",
                       .shown = true,
                       .accesses = all,
                       .access_count = c->stuck_count};
  ret->name = deadlock_name(t, ret);
  schedule_free(&names);
}

void run_tell(const RunReport *r, Arena *arena, Told *ret) {
  Teller t = {.r = r, .arena = arena};
  uint32_t count = r->predictions->predictions.len;
  ToldFinding *findings = arena_alloc_zero(arena, (count + 1) * sizeof *findings);
  *ret = (Told){.findings = findings,
                .race = r->race,
                .deadlock = r->deadlock,
                .property = r->property != NULL,
                .exit_code = run_exit_code(r),
                .argv = r->argv};
  if (run_recorded_deadlock(r)) tell_recorded(&t, &findings[ret->count++]);
  for (uint32_t i = 0; i < count; i++)
    if (r->predictions->predictions.data[i].state != PREDICT_DROPPED)
      tell_prediction(&t, i, &findings[ret->count++]);
  for (uint32_t i = 0; i < ret->count; i++) {
    ret->race_shown |= findings[i].shown && str_eq(findings[i].kind, "race");
    ret->deadlock_shown |= findings[i].shown && str_eq(findings[i].kind, "deadlock");
    ret->property_shown |= findings[i].shown && str_eq(findings[i].kind, "property");
  }
  map_free(&t.names);
}
