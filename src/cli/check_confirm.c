/* See check_confirm.h.
 *
 * What may be run is the program that was checked, built by `heddle cc`; or one that is built here from
 * the sources. Runs take turns over the commands, each with other moments at which threads are kept
 * (predict/spots.h), until nothing is open, or the time is over, or several runs in a row found
 * nothing new. */
#include "cli/check_confirm.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/temp.h"
#include "cli/check_replay.h"
#include "front/rebuild.h"
#include "predict/spots.h"

#include <string.h>
#include <unistd.h>

enum {
  PATIENCE = 36,    /* milliseconds for which a thread is kept */
  LINGER = 1000,    /* … that the program's end waits for its threads */
  FRUITLESS = 4,    /* runs of each command in a row */
  MOST_RUNS = 1000, /* of all commands */
  OFTEN = 1000, /* times that places are reached apart: they are likely to be ordered */
  RANK_LOWER = 1000,
};
static const double LEAST = 0.2; /* seconds; with less nothing is begun */

typedef struct {
  const ConfirmRequest *request;
  CheckResult *result;
  Spots spots;
  char *program; /* that is run */
  char *folder;  /* where it was built, or NULL */
  Str text;      /* of the commands */
  OptStrings commands;
  double deadline;
} Confirm;

/* ---- what is run ---- */

static bool find_program(Confirm *c, Err *err) {
  const SourceOptions *source = c->request->source;
  if (rebuild_suits(source->inputs.data, source->inputs.len)) {
    if (!(c->folder = temp_dir_new(err))) return false;
    c->program = str_printf("%s/program", c->folder);
    return check_build(c->result->program, source, NULL, c->program,
                       c->deadline - clock_now(), err);
  }
  const char *input = source->inputs.data[0];
  if (source->inputs.len == 1 && drive_has_runtime(input, err)) {
    c->program = drive_find(input, err);
    return c->program != NULL;
  }
  return err->kind == ERR_NONE &&
         err_input(err, input, "give C sources, or one program built with heddle cc",
                   "--confirm: this cannot be run");
}

static bool read_commands(Confirm *c, Err *err) {
  const char *file = c->request->with;
  if (!file) return true;
  if (!cli_read_file(file, &c->text, err)) return false;
  str_add(&c->text, ""); /* ends with a NUL also where it is empty */
  for (char *line = c->text.data, *next; line; line = next) {
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    line += strspn(line, " \t\r");
    if (*line && *line != '#') vec_push(&c->commands, line);
  }
  return c->commands.len || err_input(err, file, "write one command in each line",
                                      "--confirm-with: there is no command");
}

/* ---- runs ---- */

static bool run_once(Confirm *c, uint32_t number, uint32_t *ret_new, Err *err) {
  VEC(const char *) argv = {0};
  DriveResult end = {0};
  if (c->commands.len) {
    const char *words[] = {"/bin/sh", "-c", c->commands.data[number % c->commands.len],
                           c->program};
    for (int i = 0; i < 4; i++) vec_push(&argv, words[i]);
  } else {
    vec_push(&argv, c->program);
    for (uint32_t i = 0; i < c->request->arguments->len; i++)
      vec_push(&argv, c->request->arguments->data[i]);
  }
  vec_push(&argv, NULL);
  int nothing = proc_memory_file("", 0);
  Drive drive = {.argv = argv.data,
                 .timeout = c->deadline - clock_now(),
                 .silent = true,
                 .input = nothing,
                 .patience = PATIENCE,
                 .linger = LINGER,
                 .seed = number / (c->commands.len ? c->commands.len : 1)};
  bool ok = spots_run(&c->spots, &drive, &end, ret_new, err);
  if (ok && end.control->process == 0)
    ok = err_input(err, argv.data[0], "name a program that was built with heddle cc",
                   "--confirm: no program that can be watched was run");
  if (ok && (end.end.end != PROC_EXITED || end.end.code)) {
    Str how = {0};
    proc_describe(&end.end, &how);
    log_put(&c->request->screen->log, LOG_INFO, "run %u: the program %s", number + 1,
            str_text(&how));
    str_free(&how);
  }
  if (nothing >= 0) close(nothing);
  drive_result_free(&end);
  vec_free(&argv);
  return ok;
}

static bool is_target(const Finding *f) {
  return f->property == PROPERTY_RACE && !f->accepted && f->access_count == 2 &&
         (f->verdict == VERDICT_UNKNOWN || f->evidence == EVIDENCE_FEASIBLE);
}

static bool is_of(Confirm *c, const Meeting *m, const Finding *f) {
  uint32_t a = spots_add(&c->spots, &f->accesses[0].place);
  uint32_t b = spots_add(&c->spots, &f->accesses[1].place);
  return a && b && meeting_is_of(m, a, b);
}

static bool has_met(Confirm *c, const Finding *f) {
  for (uint32_t i = 0; i < c->spots.meetings.len; i++)
    if (is_of(c, &c->spots.meetings.data[i], f)) return true;
  return false;
}

static bool all_met(Confirm *c) {
  for (uint32_t i = 0; i < c->result->findings.len; i++)
    if (is_target(&c->result->findings.data[i]) &&
        !has_met(c, &c->result->findings.data[i]))
      return false;
  return true;
}

static bool run_all(Confirm *c, Err *err) {
  uint32_t commands = c->commands.len ? c->commands.len : 1, fruitless = 0;
  for (uint32_t i = 0; i < MOST_RUNS && fruitless < FRUITLESS * commands; i++) {
    uint32_t found = 0;
    if (*c->request->stop || c->deadline - clock_now() < LEAST || all_met(c)) return true;
    if (!run_once(c, i, &found, err)) return false;
    fruitless = found ? 0 : fruitless + 1;
  }
  return true;
}

/* ---- what came of it ---- */

static uint64_t times_reached(Confirm *c, const FoundAccess *a) {
  uint32_t spot = spots_add(&c->spots, &a->place);
  return spot ? c->spots.reached.data[spot - 1] : 0;
}

static void show(CheckResult *r, Finding *f) {
  bool open = f->verdict == VERDICT_UNKNOWN;
  f->verdict = VERDICT_UNSAFE;
  f->evidence = EVIDENCE_REPLAYED;
  r->verdicts[PROPERTY_RACE] = VERDICT_UNSAFE;
  if (!open) return;
  f->engine = "confirm";
  f->why = "in a run of the program two threads stood before these accesses, to the same "
           "memory, at the same time";
  for (uint32_t i = 0; i < r->locations.len; i++) {
    Location *x = &r->locations.data[i];
    if (!str_eq(x->name, f->name) || !place_same(&x->declared, &f->declared) ||
        x->verdict != VERDICT_UNKNOWN)
      continue;
    x->verdict = VERDICT_UNSAFE;
    x->reason = REASON_RACE;
    x->engine = f->engine;
  }
}

static void tell_distance(Confirm *c, Finding *f) {
  uint64_t times[2];
  for (int i = 0; i < 2; i++) times[i] = times_reached(c, &f->accesses[i]);
  Arena *arena = c->result->arena;
  if (!times[0] || !times[1]) {
    c->result->confirm.unreached++;
    f->why = arena_printf(arena, "%s; no run came to line %u", f->why,
                          f->accesses[times[0] ? 1 : 0].place.line);
    return;
  }
  f->why =
      arena_printf(arena, "%s; runs came there %llu and %llu times, never at once",
                   f->why, (unsigned long long)times[0], (unsigned long long)times[1]);
  if (times[0] >= OFTEN && times[1] >= OFTEN) f->rank += RANK_LOWER;
}

/* ---- whose race it was ---- */

/* A pair of places may stand for several locations. The runtime knows the address, and whether a
 * global variable lies there. */
static bool fits(const Confirm *c, const Meeting *m, const Finding *f) {
  const CheckResult *r = c->result;
  if (m->variable)
    return !strncmp(f->name, m->variable, strlen(m->variable)) &&
           strchr(".[-", f->name[strlen(m->variable)]);
  for (uint32_t i = 0; i < r->locations.len; i++) {
    const Location *x = &r->locations.data[i];
    if (str_eq(x->name, f->name) && place_same(&x->declared, &f->declared))
      return !result_is_global(r, x);
  }
  return true;
}

/* Marks the findings about the one location that the meeting was about. False: there is none, or it may
 * be one of several. */
static bool attribute(Confirm *c, const Meeting *m, uint32_t count, uint8_t *met) {
  const Finding *list = c->result->findings.data, *first = NULL;
  bool several = false;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_target(&list[i]) || !is_of(c, m, &list[i]) || !fits(c, m, &list[i])) continue;
    several = several || (first && !(str_eq(first->name, list[i].name) &&
                                     place_same(&first->declared, &list[i].declared)));
    if (!first) first = &list[i];
  }
  for (uint32_t i = 0; first && !several && i < count; i++)
    if (is_target(&list[i]) && is_of(c, m, &list[i]) && fits(c, m, &list[i])) met[i] = 1;
  return first && !several;
}

static const FoundAccess *access_at(Confirm *c, uint32_t spot, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const Finding *f = &c->result->findings.data[i];
    for (uint32_t k = 0; is_target(f) && k < 2; k++)
      if (spots_add(&c->spots, &f->accesses[k].place) == spot) return &f->accesses[k];
  }
  return NULL;
}

/* A race all the same, of what the source calls so there. */
static void add_other(Confirm *c, const Meeting *m, uint32_t count) {
  Arena *arena = c->result->arena;
  FoundAccess *accesses = arena_alloc(arena, 2 * sizeof *accesses);
  for (int i = 0; i < 2; i++) {
    const FoundAccess *a = access_at(c, m->spot[i], count);
    if (!a) return;
    accesses[i] = *a;
    bool writes = m->flags[i] & TRACE_WRITE;
    if (m->flags[i] & TRACE_ATOMIC)
      accesses[i].kind = writes ? "atomic write" : "atomic read";
    else
      accesses[i].kind = writes ? "write" : "read";
  }
  const char *words = accesses[0].place.words;
  vec_push(&c->result->findings,
           ((Finding){.property = PROPERTY_RACE,
                      .name = m->variable ? arena_strdup(arena, m->variable)
                              : words     ? words
                                          : "memory",
                      .accesses = accesses,
                      .access_count = 2,
                      .fix = "hold one mutex at both accesses, or order their threads"}));
  show(c->result, &c->result->findings.data[c->result->findings.len - 1]);
}

static void tell(Confirm *c) {
  CheckResult *r = c->result;
  uint32_t count = r->findings.len;
  uint8_t *met = mem_alloc_zero(count + 1);
  for (uint32_t i = 0; i < c->spots.meetings.len; i++)
    if (!attribute(c, &c->spots.meetings.data[i], count, met))
      add_other(c, &c->spots.meetings.data[i], count);
  for (uint32_t i = 0; i < count; i++) {
    Finding *f = &r->findings.data[i];
    if (!is_target(f)) continue;
    bool open = f->verdict == VERDICT_UNKNOWN;
    r->confirm.pairs += open;
    r->confirm.met += open && met[i];
    if (met[i])
      show(r, f);
    else if (open)
      tell_distance(c, f);
  }
  r->confirm.runs = c->spots.runs;
  mem_free(met);
  result_complete(r);
}

bool check_confirm(const ConfirmRequest *request, CheckResult *result, Err *err) {
  Confirm c = {
      .request = request, .result = result, .deadline = clock_now() + request->seconds};
  bool any = false;
  for (uint32_t i = 0; i < result->findings.len; i++)
    any = any || is_target(&result->findings.data[i]);
  bool ok = read_commands(&c, err);
  if (ok && any) {
    ok = find_program(&c, err) && spots_open(&c.spots, c.program, err);
    for (uint32_t i = 0; ok && i < result->findings.len; i++)
      for (uint32_t k = 0; is_target(&result->findings.data[i]) && k < 2; k++)
        spots_add(&c.spots, &result->findings.data[i].accesses[k].place);
    progress_phase(&request->screen->progress, "runs", 0);
    ok = ok && run_all(&c, err);
    progress_end(&request->screen->progress);
    if (ok) tell(&c);
    spots_free(&c.spots);
  }
  if (c.folder) {
    temp_remove(c.program);
    temp_remove(c.folder);
  }
  mem_free(c.program);
  mem_free(c.folder);
  str_free(&c.text);
  vec_free(&c.commands);
  return ok;
}
