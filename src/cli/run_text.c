/* The text report of `heddle run`: each error with its places, stacks, locks and values,
 * then the interleaving with a column for each thread (run_tell.c), then what was tried
 * and what became of it. */
#include "cli/run_report.h"

#include "report/report.h"

#include <string.h>

/* ---- names ------------------------------------------------------------------------ */

static bool add_heap_name(const RunReport *r, uint64_t address, Str *out) {
  for (uint32_t i = r->trace->events.len; i-- > 0;) {
    const TraceEvent *e = &r->trace->events.data[i];
    if (e->op != TRACE_ALLOC || address < e->object ||
        address - e->object >= e->arguments[0])
      continue;
    str_addf(out, "byte %llu of a block of %llu allocated at ",
             (unsigned long long)(address - e->object),
             (unsigned long long)e->arguments[0]);
    places_add(r->places, e->pc, out);
    return true;
  }
  return false;
}

static bool add_stack_name(const RunReport *r, uint64_t address, Str *out) {
  for (uint32_t i = 0; i < r->trace->threads.len; i++) {
    const TraceThread *t = &r->trace->threads.data[i];
    if (!t->stack_size || address < t->stack || address - t->stack >= t->stack_size)
      continue;
    str_addf(out, "the stack of %s", t->name);
    return true;
  }
  return false;
}

void run_add_name(const RunReport *r, uint64_t address, Str *out) {
  if (places_add_variable(r->places, address, out)) return;
  if (add_heap_name(r, address, out) || add_stack_name(r, address, out)) return;
  str_addf(out, "0x%llx", (unsigned long long)address);
}

void run_add_id(const RunReport *r, uint32_t index, Str *out) {
  const Prediction *all = r->predictions->predictions.data;
  uint32_t number = 1 + r->before[all[index].property];
  bool dropped = all[index].state == PREDICT_DROPPED;
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++) {
    if (all[i].property != all[index].property) continue;
    bool told = all[i].state != PREDICT_DROPPED; /* these have the first numbers */
    number += told ? dropped || i < index : dropped && i < index;
  }
  str_addf(out, "%c%u", property_table[all[index].property].letter, number);
}

uint32_t run_count_ids(const RunReport *r, Property property) {
  uint32_t n = r->before[property];
  for (uint32_t i = 0; r->predictions && i < r->predictions->predictions.len; i++)
    n += r->predictions->predictions.data[i].property == property;
  return n;
}

const char *run_schedule_thread(const Schedule *s, uint32_t number) {
  return number < s->threads.len ? s->threads.data[number].name : "another thread";
}

bool run_has_schedule(const Prediction *x) {
  if (x->property == PROPERTY_RULE) return x->schedule.rule != NULL;
  return (x->schedule.steps.len || x->schedule.anyone) && x->state != PREDICT_OBSERVED;
}

uint64_t run_raced_address(const Prediction *x) {
  return x->pair.a.address > x->pair.b.address ? x->pair.a.address : x->pair.b.address;
}

const TraceEvent *run_creation(const Trace *trace, const char *thread) {
  for (uint32_t i = 0; i < trace->threads.len; i++) {
    const TraceThread *t = &trace->threads.data[i];
    if (!t->name || !str_eq(t->name, thread) || t->parent >= trace->threads.len) continue;
    const TraceThread *parent = &trace->threads.data[t->parent];
    for (uint32_t k = 0; k < parent->events.len; k++) {
      const TraceEvent *e = &trace->events.data[parent->events.data[k]];
      if (e->op == TRACE_CREATE && e->object == i) return e;
    }
  }
  return NULL;
}

void run_recorded_threads(const RunReport *r, Schedule *ret) {
  schedule_init(ret);
  vec_clear(&ret->threads);
  for (uint32_t i = 0; i < r->trace->threads.len; i++)
    vec_push(&ret->threads, (ScheduleThread){r->trace->threads.data[i].name, 0, 0});
}

/* ---- places of a replay ----------------------------------------------------------- */

static void add_place(const RunReport *r, uint64_t pc, Str *out) {
  Place place = places_find(r->places, pc);
  places_add(r->places, pc, out);
  if (place.function && place.file) str_addf(out, " in %s", place.function);
}

static void add_stack(const RunReport *r, const ControlPlace *p, Str *out) {
  for (uint32_t i = 0; i < p->frame_count; i++) {
    Place place = places_find(r->places, p->frames[i]);
    if (!place.file) continue; /* the C library, below main */
    str_add(out, "      called at ");
    add_place(r, p->frames[i], out);
    str_add_char(out, '\n');
  }
}

/* Who made the thread, and who made that one. */
static void add_creation(const RunReport *r, const char *thread, Str *out) {
  const TraceEvent *e;
  for (unsigned i = 0; i < 8 && (e = run_creation(r->trace, thread)); i++) {
    const char *parent = r->trace->threads.data[e->thread].name;
    str_add(out, "      ");
    if (i) str_addf(out, "%s was ", thread);
    str_addf(out, "created by %s at ", parent);
    add_place(r, e->pc, out);
    str_add_char(out, '\n');
    thread = parent;
  }
}

static void add_locks(const RunReport *r, const ControlPlace *p, Str *out) {
  if (!p->lock_count) str_add(out, "      holds no lock\n");
  for (uint32_t i = 0; i < p->lock_count; i++) {
    str_add(out, "      holds ");
    run_add_name(r, p->locks[i], out);
    str_add(out, ", locked at ");
    places_add(r->places, p->lock_places[i], out);
    str_add_char(out, '\n');
  }
}

const char *run_access_word(const ControlPlace *p) {
  if (p->atomic) return p->write ? "atomic write" : "atomic read";
  return p->write ? "write" : "read";
}

const char *run_predicted_word(const RaceAccess *a) {
  if (a->frees) return "free";
  if (a->atomic) return a->write ? "atomic write" : "atomic read";
  return a->write ? "write" : "read";
}

static const char *waiting_word(uint32_t op) {
  switch (op) {
  case TRACE_LOCK: return "waits for lock";
  case TRACE_READ_LOCK: return "waits to read-lock";
  case TRACE_JOIN: return "waits for the end of";
  case TRACE_WOKEN: return "waits on condition";
  case TRACE_SEM_WAIT: return "waits for semaphore";
  case TRACE_BARRIER_EXIT: return "waits at barrier";
  default: return "waits for";
  }
}

/* What the memory holds, as the access sees it. */
static void add_value(const ControlPlace *p, Str *out) {
  if (p->size != 1 && p->size != 2 && p->size != 4 && p->size != 8) return;
  uint64_t sign = UINT64_C(1) << (p->size * 8 - 1);
  long long value = (long long)((p->value ^ sign) - sign);
  str_addf(out, ", where the value is %lld", value);
}

static void add_race(const RunReport *r, const Control *c, const Schedule *s, Str *out) {
  for (int i = 0; i < 2; i++) {
    const ControlPlace *p = &c->places[i];
    str_addf(out, "    %s: %s of %llu byte%s at ", run_schedule_thread(s, p->thread),
             run_access_word(p), (unsigned long long)p->size, p->size == 1 ? "" : "s");
    add_place(r, p->pc, out);
    add_value(p, out);
    str_add_char(out, '\n');
    add_stack(r, p, out);
    add_creation(r, run_schedule_thread(s, p->thread), out);
    add_locks(r, p, out);
  }
}

static void add_stuck(const RunReport *r, const Control *c, const Schedule *s, Str *out) {
  for (uint32_t i = 0; i < c->stuck_count; i++) {
    const ControlPlace *p = &c->stuck[i];
    str_addf(out, "    %s %s ", run_schedule_thread(s, p->thread), waiting_word(p->op));
    if (p->op == TRACE_JOIN)
      str_add(out, run_schedule_thread(s, p->owner));
    else
      run_add_name(r, p->object, out);
    str_add(out, " at ");
    add_place(r, p->pc, out);
    if (p->owner != CONTROL_NO_THREAD && p->op != TRACE_JOIN)
      str_addf(out, ", which %s holds", run_schedule_thread(s, p->owner));
    str_add_char(out, '\n');
    add_stack(r, p, out);
    add_creation(r, run_schedule_thread(s, p->thread), out);
    add_locks(r, p, out);
  }
}

void run_text_shown(const RunReport *r, const Control *shown, const Schedule *schedule,
                    Str *out) {
  if (shown->outcome == CONTROL_RACE)
    add_race(r, shown, schedule, out);
  else if (shown->outcome == CONTROL_DEADLOCK)
    add_stuck(r, shown, schedule, out);
}

/* ---- why it is a race ------------------------------------------------------------- */

static void add_schedule_step(const RunReport *r, const Schedule *s, uint32_t i,
                              Str *out) {
  str_add(out, trace_op_word((TraceOp)s->steps.data[i].op));
  if (i < s->objects.len && s->objects.data[i].thread != CONTROL_NO_THREAD)
    str_addf(out, " %s", run_schedule_thread(s, s->objects.data[i].thread));
  else if (i < s->objects.len && s->objects.data[i].address) {
    str_add_char(out, ' ');
    run_add_name(r, s->objects.data[i].address, out);
  }
  if (i < s->places.len && s->places.data[i]) {
    str_add(out, " at ");
    places_add(r->places, s->places.data[i], out);
  }
}

void run_text_confirmed(const RunReport *r, const Schedule *s, const Confirmation *c,
                        Str *out) {
  if (c->refuted) {
    str_addf(out, "    not confirmed: %s\n", c->refuted);
    return;
  }
  if (s->anyone) {
    str_add(out,
            "    both stood there at the same time: neither access is ordered before "
            "the other\n");
    return;
  }
  str_add(out, "    confirmed by happens-before: neither access is ordered before the "
               "other\n");
  for (int k = 0; k < 2; k++) {
    const char *me = run_schedule_thread(s, s->hold[k].thread),
               *other = run_schedule_thread(s, s->hold[1 - k].thread);
    if (c->link[k].acquire == NO_STEP || c->link[k].release == NO_STEP) {
      str_addf(out, "      %s knows of nothing that %s did\n", me, other);
      continue;
    }
    str_addf(out, "      %s knows of %s up to: ", me, other);
    add_schedule_step(r, s, c->link[k].release, out);
    if (c->link[k].acquire != c->link[k].release) {
      str_add(out, ", by its ");
      if (s->steps.data[c->link[k].acquire].thread != s->hold[k].thread)
        str_add(out, "creator's ");
      add_schedule_step(r, s, c->link[k].acquire, out);
    }
    str_add_char(out, '\n');
  }
}

/* ---- findings --------------------------------------------------------------------- */

static void add_command(const RunReport *r, uint32_t index, Str *out) {
  if (!r->folder) return;
  str_add(out, "    see it again: heddle replay ");
  if (r->process) str_addf(out, "--process %u ", r->process);
  str_addf(out, "%s/", r->folder);
  run_add_id(r, index, out);
  str_add(out, ".schedule --");
  for (size_t i = 0; r->argv[i]; i++) str_addf(out, " %s", r->argv[i]);
  str_add_char(out, '\n');
}

static const char *state_words(const Prediction *x) {
  switch (x->state) {
  case PREDICT_REPLAYED: return ", replayed in the program\n";
  case PREDICT_OBSERVED: return ", seen in the recorded run\n";
  case PREDICT_OPEN:
    if (x->seen) return ", perhaps seen in the recorded run\n";
    break;
  case PREDICT_DROPPED: break;
  }
  return ", predicted but not seen in a replay\n";
}

/* The two accesses as the recorded run had them. */
static void add_recorded_race(const RunReport *r, const Prediction *x, Str *out) {
  for (int i = 0; i < 2; i++) {
    const RaceAccess *a = i ? &x->pair.b : &x->pair.a;
    const char *thread = r->trace->threads.data[a->thread].name;
    str_addf(out, "    %s: %s at ", thread, run_predicted_word(a));
    add_place(r, a->pc, out);
    str_add_char(out, '\n');
    if (!x->seen) continue;
    add_creation(r, thread, out);
    const uint64_t *locks = x->observed.locks[i];
    if (!locks[0]) str_add(out, "      holds no lock\n");
    for (uint32_t k = 0; k < OBSERVED_LOCKS && locks[k]; k++) {
      str_add(out, "      holds ");
      run_add_name(r, locks[k], out);
      str_add_char(out, '\n');
    }
  }
}

/* How far they knew each other. */
static void add_known(const RunReport *r, const Prediction *x, Str *out) {
  for (int i = 0; i < 2; i++) {
    const RaceAccess *a = i ? &x->pair.b : &x->pair.a, *b = i ? &x->pair.a : &x->pair.b;
    const char *me = r->trace->threads.data[a->thread].name,
               *other = r->trace->threads.data[b->thread].name;
    if (!x->observed.known_op[i]) {
      str_addf(out, "      %s knows of nothing that %s did\n", me, other);
      continue;
    }
    str_addf(out, "      %s knows of %s up to: %s", me, other,
             trace_op_word(x->observed.known_op[i]));
    if (x->observed.known[i]) {
      str_add(out, " at ");
      places_add(r->places, x->observed.known[i], out);
    }
    str_add_char(out, '\n');
  }
}

/* Why it is open; of a race that was observed, why it is one. */
static void add_reason(const RunReport *r, const Prediction *x, Str *out) {
  bool said =
      x->state == PREDICT_OBSERVED || x->seen || x->surprised ||
      (x->shown && (x->shown->outcome == CONTROL_WAITING || x->confirmation.refuted));
  if (x->state == PREDICT_REPLAYED || !said) return;
  str_addf(out, "    %s\n", run_why(x));
  if (x->seen && x->observed.doubt == OBSERVED_CALL) {
    str_addf(out, "      %s came back at ",
             r->trace->threads.data[x->observed.waited].name);
    add_place(r, x->observed.call, out);
    str_add_char(out, '\n');
  } else if (!x->seen && x->surprised && x->shown) {
    str_add(out, "      ");
    run_add_dropped(r, x, out);
    str_add_char(out, '\n');
  }
  if (x->state == PREDICT_OBSERVED) add_known(r, x, out);
}

static void add_finding(const RunReport *r, uint32_t index, Str *out) {
  const Prediction *x = &r->predictions->predictions.data[index];
  bool race = x->property == PROPERTY_RACE;
  run_add_id(r, index, out);
  if (race) {
    const RacePair *pair = &x->pair;
    str_add(out, pair->a.frees && pair->b.frees   ? ": double free, a data race on "
                 : pair->a.frees || pair->b.frees ? ": use after free, a data race on "
                                                  : ": data race on ");
    run_add_name(r, run_raced_address(x), out);
  } else if (x->property == PROPERTY_RULE) {
    str_addf(out, ": %s:%u fails", x->rule_file, x->rule_line);
  } else {
    str_add(out, ": deadlock");
  }
  str_add(out, state_words(x));
  if (x->property == PROPERTY_RULE) {
    str_addf(out, "    %s\n", x->rule);
    if (x->why && *x->why) str_addf(out, "    %s\n", x->why);
  }
  if (x->state == PREDICT_REPLAYED) {
    run_text_shown(r, x->shown, &x->schedule, out);
    if (race) run_text_confirmed(r, &x->schedule, &x->confirmation, out);
  } else if (race) {
    add_recorded_race(r, x, out);
  }
  if (x->property != PROPERTY_RULE) add_reason(r, x, out);
}

static void add_findings(const RunReport *r, Str *out) {
  CheckResult told;
  TextStyle style = {.width = r->width, .color = r->color};
  run_tell(r, &told);
  uint32_t next = run_recorded_deadlock(r);
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++) {
    if (r->predictions->predictions.data[i].state == PREDICT_DROPPED) continue;
    add_finding(r, i, out);
    if (run_has_schedule(&r->predictions->predictions.data[i])) {
      str_add(out, "    how it comes about:\n");
      report_story(&told, &told.findings.data[next], &style, out);
      add_command(r, i, out);
    }
    next++;
    str_add_char(out, '\n');
  }
  result_free(&told);
}

/* ---- what was tried --------------------------------------------------------------- */

void run_add_dropped(const RunReport *r, const Prediction *x, Str *out) {
  const Control *c = x->shown;
  if (!c || c->outcome == CONTROL_FOLLOWED) {
    str_add(out, "the order was followed, and the error did not show");
    return;
  }
  const char *who = run_schedule_thread(&x->schedule, c->diverged_thread);
  if (c->diverged_op == TRACE_NONE) {
    str_addf(out, "%s waited in vain for the other threads at ", who);
  } else if (c->at < x->schedule.steps.len) {
    const ControlStep *step = &x->schedule.steps.data[c->at];
    str_addf(out, "the program took another way: %s came to %s instead of %s at ", who,
             trace_op_word((TraceOp)c->diverged_op), trace_op_word((TraceOp)step->op));
  } else {
    str_addf(out,
             "the program took another way: %s passed by its place and came to %s at ",
             who, trace_op_word((TraceOp)c->diverged_op));
  }
  places_add(r->places, c->diverged_pc, out);
}

static void add_dropped(const RunReport *r, Str *out) {
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++) {
    const Prediction *x = &r->predictions->predictions.data[i];
    if (x->state != PREDICT_DROPPED) continue;
    str_add(out, "dropped: ");
    if (x->property == PROPERTY_RACE) {
      str_add(out, "race on ");
      run_add_name(r, run_raced_address(x), out);
      str_add(out, " between ");
      places_add(r->places, x->pair.a.pc, out);
      str_add(out, " and ");
      places_add(r->places, x->pair.b.pc, out);
    } else if (x->property == PROPERTY_RULE) {
      str_addf(out, "%s:%u", x->rule_file, x->rule_line);
    } else {
      str_add(out, "deadlock");
    }
    str_addf(out, ", %u order%s tried: ", x->tries, x->tries == 1 ? "" : "s");
    run_add_dropped(r, x, out);
    str_add_char(out, '\n');
  }
}

uint32_t run_count(const RunReport *r, PredictState state) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++)
    n += r->predictions->predictions.data[i].state == state;
  return n;
}

bool run_recorded_deadlock(const RunReport *r) {
  return r->recorded && r->recorded->outcome == CONTROL_DEADLOCK;
}

int run_exit_code(const RunReport *r) {
  if (run_recorded_deadlock(r) || run_count(r, PREDICT_REPLAYED) ||
      run_count(r, PREDICT_OBSERVED))
    return EXIT_VIOLATED;
  const PredictStats *stats = &r->predictions->stats;
  return run_count(r, PREDICT_OPEN) || r->trace->shortened || stats->property_undecided ||
                 stats->unexplored || stats->races_cut
             ? EXIT_UNDECIDED
             : EXIT_HOLDS;
}

static void add_recorded_deadlock(const RunReport *r, Str *out) {
  Schedule names;
  run_recorded_threads(r, &names);
  str_add(out, "the program deadlocked while it was recorded\n");
  run_text_shown(r, r->recorded, &names, out);
  str_add_char(out, '\n');
  schedule_free(&names);
}

static void add_end(const RunReport *r, Str *out) {
  if (!r->end || run_recorded_deadlock(r)) return;
  if (r->end->end == PROC_EXITED && r->end->code == 0) return;
  str_add(out, "the recorded program ended with ");
  proc_describe(r->end, out);
  str_add_char(out, '\n');
}

static void add_left_out(const RunReport *r, Str *out) {
  bool any = false;
  for (int i = SIFT_NONE + 1; i < SIFT_COUNT; i++) {
    if (!r->left_out[i]) continue;
    str_addf(out, "%s%u %s", any ? ", " : "not reported: ", r->left_out[i],
             sift_word((Sifted)i));
    any = true;
  }
  if (any) str_add_char(out, '\n');
}

void run_text(const RunReport *r, Str *out) {
  const PredictStats *stats = &r->predictions->stats;
  if (run_recorded_deadlock(r)) add_recorded_deadlock(r, out);
  add_findings(r, out);
  if (r->verbose) add_dropped(r, out);
  str_addf(out, "%llu threads, %llu events, %llu accesses recorded\n",
           (unsigned long long)stats->threads, (unsigned long long)stats->events,
           (unsigned long long)stats->accesses);
  add_end(r, out);
  run_text_limits(r, out);
  add_left_out(r, out);
}
