/* The text report of `heddle run`: each error with its places, stacks and locks, then the
 * interleaving with a column for each thread, then what was tried. */
#include "cli/run_report.h"

#include "cli/cli.h"

#include <string.h>

enum { STORY_STEPS = 40, COLUMN = 34 };

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
  uint32_t number = 1;
  for (uint32_t i = 0; i < index; i++) number += all[i].property == all[index].property;
  str_addf(out, "%c%u", "RDP"[all[index].property], number);
}

static const char *thread_name(const Schedule *s, uint32_t number) {
  return number < s->threads.len ? s->threads.data[number].name : "another thread";
}

bool run_has_schedule(const Prediction *x) {
  return x->property != PREDICT_PROPERTY || x->schedule.rule;
}

const char *run_thread_name(const Prediction *x, uint32_t number) {
  return thread_name(&x->schedule, number);
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

static void add_locks(const RunReport *r, const ControlPlace *p, Str *out) {
  for (uint32_t i = 0; i < p->lock_count; i++) {
    str_add(out, "      holds ");
    run_add_name(r, p->locks[i], out);
    str_add(out, ", locked at ");
    places_add(r->places, p->lock_places[i], out);
    str_add_char(out, '\n');
  }
}

static const char *access_word(const ControlPlace *p) {
  if (p->atomic) return p->write ? "atomic write" : "atomic read";
  return p->write ? "write" : "read";
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

static void add_race(const RunReport *r, const Control *c, const Schedule *s, Str *out) {
  for (int i = 0; i < 2; i++) {
    const ControlPlace *p = &c->places[i];
    str_addf(out, "    %s: %s of %llu byte%s at ", thread_name(s, p->thread),
             access_word(p), (unsigned long long)p->size, p->size == 1 ? "" : "s");
    add_place(r, p->pc, out);
    str_add_char(out, '\n');
    add_stack(r, p, out);
    add_locks(r, p, out);
  }
  const ControlPlace *p = &c->places[0];
  if (p->size <= 8)
    str_addf(out, "    the value is %lld at that moment\n", (long long)p->value);
}

static void add_stuck(const RunReport *r, const Control *c, const Schedule *s, Str *out) {
  for (uint32_t i = 0; i < c->stuck_count; i++) {
    const ControlPlace *p = &c->stuck[i];
    str_addf(out, "    %s %s ", thread_name(s, p->thread), waiting_word(p->op));
    if (p->op == TRACE_JOIN)
      str_add(out, thread_name(s, p->owner));
    else
      run_add_name(r, p->object, out);
    str_add(out, " at ");
    add_place(r, p->pc, out);
    if (p->owner != CONTROL_NO_THREAD && p->op != TRACE_JOIN)
      str_addf(out, ", which %s holds", thread_name(s, p->owner));
    str_add_char(out, '\n');
    add_stack(r, p, out);
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

/* ---- the story -------------------------------------------------------------------- */

static void add_step(const RunReport *r, const Schedule *s, uint32_t i, Str *out) {
  size_t start = out->len;
  str_add(out, "      ");
  /* Many threads do not fit side by side: then the name stands before the step. */
  if (s->threads.len <= 3)
    str_pad(out, start, 6 + COLUMN * s->steps.data[i].thread);
  else
    str_addf(out, "%s: ", thread_name(s, s->steps.data[i].thread));
  if (s->steps.data[i].op == TRACE_EVENT && i < s->names.len)
    str_add(out, s->names.data[i]);
  else
    str_add(out, trace_op_word((TraceOp)s->steps.data[i].op));
  uint64_t pc = i < s->places.len ? s->places.data[i] : 0;
  Place place = pc ? places_find(r->places, pc) : (Place){0};
  if (place.file) {
    const char *slash = strrchr(place.file, '/');
    str_addf(out, " %s:%d", slash ? slash + 1 : place.file, place.line);
  }
  str_add_char(out, '\n');
}

static void add_story(const RunReport *r, const Schedule *s, Str *out) {
  uint32_t first = s->steps.len > STORY_STEPS ? s->steps.len - STORY_STEPS : 0;
  str_add(out, "    how it comes about:\n");
  if (s->threads.len <= 3) {
    size_t start = out->len;
    for (uint32_t t = 0; t < s->threads.len; t++) {
      str_pad(out, start, 6 + COLUMN * t);
      str_add(out, s->threads.data[t].name);
    }
    str_add_char(out, '\n');
  }
  if (first) str_addf(out, "      … %u steps before these, see the schedule\n", first);
  for (uint32_t i = first; i < s->steps.len; i++) add_step(r, s, i, out);
}

/* ---- findings --------------------------------------------------------------------- */

static void add_command(const RunReport *r, uint32_t index, Str *out) {
  if (!r->folder) return;
  str_addf(out, "    see it again: heddle replay %s/", r->folder);
  run_add_id(r, index, out);
  str_add(out, ".schedule --");
  for (size_t i = 0; r->argv[i]; i++) str_addf(out, " %s", r->argv[i]);
  str_add_char(out, '\n');
}

static void add_finding(const RunReport *r, uint32_t index, Str *out) {
  const Prediction *x = &r->predictions->predictions.data[index];
  if (x->state == PREDICT_DROPPED) return;
  run_add_id(r, index, out);
  if (x->property == PREDICT_RACE) {
    str_add(out, ": data race on ");
    run_add_name(
        r, x->pair.a.address > x->pair.b.address ? x->pair.a.address : x->pair.b.address,
        out);
  } else if (x->property == PREDICT_PROPERTY) {
    str_addf(out, ": %s:%u fails", x->rule_file, x->rule_line);
  } else {
    str_add(out, ": deadlock");
  }
  str_add(out, x->state == PREDICT_REPLAYED ? ", replayed in the program\n"
                                            : ", predicted but not seen in a replay\n");
  if (x->property == PREDICT_PROPERTY) {
    str_addf(out, "    %s\n", x->rule);
    if (x->why && *x->why) str_addf(out, "    %s\n", x->why);
  }
  if (x->state == PREDICT_REPLAYED) {
    run_text_shown(r, x->shown, &x->schedule, out);
  } else if (x->property == PREDICT_RACE) {
    for (int i = 0; i < 2; i++) {
      const RaceAccess *a = i ? &x->pair.b : &x->pair.a;
      str_addf(out, "    %s: %s at ", r->trace->threads.data[a->thread].name,
               a->frees   ? "free"
               : a->write ? "write"
                          : "read");
      add_place(r, a->pc, out);
      str_add_char(out, '\n');
    }
  }
  if (run_has_schedule(x)) {
    add_story(r, &x->schedule, out);
    add_command(r, index, out);
  }
  str_add_char(out, '\n');
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
  if (run_recorded_deadlock(r) || run_count(r, PREDICT_REPLAYED)) return EXIT_VIOLATED;
  return run_count(r, PREDICT_OPEN) || r->predictions->stats.property_undecided
             ? EXIT_UNDECIDED
             : EXIT_HOLDS;
}

static void add_recorded_deadlock(const RunReport *r, Str *out) {
  Schedule names;
  schedule_init(&names);
  vec_clear(&names.threads);
  for (uint32_t i = 0; i < r->trace->threads.len; i++)
    vec_push(&names.threads, (ScheduleThread){r->trace->threads.data[i].name, 0, 0});
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

static void add_limits(const RunReport *r, Str *out) {
  const PredictStats *stats = &r->predictions->stats;
  if (r->sync_only && r->race)
    str_add(out, "races were not looked for: the program was not built with `heddle cc "
                 "--instrument`\n");
  if (r->trace->state & TRACE_INCOMPLETE)
    str_addf(out, "the trace is incomplete: %s\n", strerror(r->trace->lost_errno));
  if (r->trace->cut) str_add(out, "the trace is cut off\n");
  if (stats->undecided)
    str_addf(out, "%llu situation%s too large to search for an order\n",
             (unsigned long long)stats->undecided,
             stats->undecided == 1 ? " was" : "s were");
  if (stats->deadlock_undecided)
    str_add(out,
            "deadlocks other than circles of locks were not searched to the end: the "
            "run is too large\n");
  if (stats->property_undecided)
    str_addf(
        out, "%u assertion%s not decided: the run is too large, or the time was over\n",
        stats->property_undecided, stats->property_undecided == 1 ? " was" : "s were");
  if (stats->unexplored)
    str_addf(out, "%llu situation%s not tried: the time was over\n",
             (unsigned long long)stats->unexplored,
             stats->unexplored == 1 ? " was" : "s were");
  if (stats->left_out)
    str_addf(out,
             "%llu accesses were not compared: too many different ones to one place\n",
             (unsigned long long)stats->left_out);
}

void run_text(const RunReport *r, Str *out) {
  const PredictStats *stats = &r->predictions->stats;
  if (run_recorded_deadlock(r)) add_recorded_deadlock(r, out);
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++) add_finding(r, i, out);
  str_addf(out, "%llu threads, %llu events, %llu accesses recorded\n",
           (unsigned long long)stats->threads, (unsigned long long)stats->events,
           (unsigned long long)stats->accesses);
  add_end(r, out);
  add_limits(r, out);
  uint32_t shown = run_count(r, PREDICT_REPLAYED), open = run_count(r, PREDICT_OPEN),
           dropped = run_count(r, PREDICT_DROPPED);
  str_addf(out, "%u predicted: %u replayed, %u dropped, %u open\n",
           shown + open + dropped, shown, dropped, open);
}
