/* See run_session.h. */
#include "cli/run_session.h"

#include "cli/run_budget.h"
#include "cli/run_events.h"
#include "base/interrupt.h"
#include "predict/deadline.h"
#include "predict/emit.h"
#include "predict/exchange.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- what to look for ------------------------------------------------------------- */

bool run_choose(const RunOptions *o, RunReport *r, Err *err) {
  bool all = str_eq(o->property, "all"), any = false;
  for (int p = PROPERTY_RACE; p <= PROPERTY_DEADLOCK; p++)
    any |= r->asked[p] = all || str_eq(o->property, property_text((Property)p));
  if (any) return true;
  r->rules = o->property;
  r->asked[PROPERTY_RULE] = true;
  return access(o->property, R_OK) == 0 ||
         err_input(err, o->property, "give race, deadlock, all or a file of CSP_M",
                   "no such property: %s", strerror(errno));
}

static bool write_csp(const RunOptions *o, const RunReport *r, const Run *run,
                      double deadline, Err *err) {
  Str text = {0};
  EmitRequest request = {.property = r->rules,
                         .race = r->asked[PROPERTY_RACE] && !r->sync_only,
                         .deadlock = r->asked[PROPERTY_DEADLOCK],
                         .window = (uint32_t)o->window,
                         .without = (uint32_t)o->without & (WITHOUT_CACHE - 1),
                         .deadline = deadline};
  bool ok = !o->emit_csp || (emit_script(run, &request, &text, err) &&
                             outfile_save(o->emit_csp, text.data, text.len, err));
  str_free(&text);
  return ok;
}

/* ---- predicting ------------------------------------------------------------------- */

typedef struct {
  Drive drive;         /* of the program */
  const char *program; /* the file of the process that is replayed */
  double recorded;     /* seconds */
  double over;         /* PredictOptions.over */
  double deadline;     /* of prediction */
} Replayer;

enum {
  CLOCKS_SHARE = 4
}; /* the part of the memory that is for what happened before what */
enum { LAST_REPLAY = 1 }; /* seconds for one that began when the time was nearly over */

/* A program that runs freely takes about as long as it did; one that waits for its turn
 * often takes longer. */
static bool replay(void *user, const Schedule *schedule, Control **ret, Err *err) {
  Replayer *r = user;
  DriveResult result;
  Drive drive = r->drive;
  drive.silent = drive.stop = true;
  drive.patience = 500 + (uint32_t)(r->recorded * 4000);
  drive.recorded = (uint32_t)(r->recorded * 1000);
  drive.timeout = 3 + r->recorded * 4 + schedule->steps.len * 2e-4;
  double left = r->deadline - clock_now();
  if (drive.timeout > left) drive.timeout = left > LAST_REPLAY ? left : LAST_REPLAY;
  if (!drive_replay(&drive, schedule, &result, err)) {
    drive_result_free(&result);
    return false;
  }
  *ret = result.control;
  result.control = NULL;
  drive_result_free(&result);
  return true;
}

/* ---- one run ---------------------------------------------------------------------- */

void run_once_free(RunOnce *one) {
  places_free(one->report.places);
  predict_free(&one->predictions);
  run_free(&one->run);
  trace_free(&one->trace);
  drive_result_free(&one->recorded);
}

/* Reads the trace and predicts. `earlier`: what other runs have shown. */
static bool judge(const RunOptions *o, const char *trace_path, RunOnce *one,
                  Replayer *replayer, StrMap *earlier, Screen *screen, Err *err) {
  RunReport *r = &one->report;
  Trace *trace = &one->trace;
  double start = clock_now(), deadline = start + (double)o->timeout;
  if (replayer) replayer->deadline = deadline;
  uint64_t memory = (uint64_t)o->memory << 20;
  trace->memory = memory - memory / CLOCKS_SHARE;
  bool ok = trace_read(trace_path, &screen->progress, trace, err);
  if (ok && (o->events || r->rules) && !r->process)
    ok = run_check_events(o->events, trace, err);
  if (!ok) return false;
  run_init(&one->run, trace, &screen->progress);
  PredictOptions options = {.race = r->asked[PROPERTY_RACE] && !r->sync_only,
                            .deadlock = r->asked[PROPERTY_DEADLOCK],
                            .observe = replayer != NULL,
                            .memory = memory / CLOCKS_SHARE,
                            .property = r->rules,
                            .program = replayer             ? replayer->program
                                       : trace->modules.len ? trace->modules.data[0].path
                                                            : NULL,
                            .orders = (uint32_t)o->orders,
                            .window = (uint32_t)o->window,
                            .as_recorded = o->as_recorded,
                            .count_reductions = o->reports.files[REPORT_JSON] != NULL,
                            .without = (uint32_t)o->without & (WITHOUT_CACHE - 1),
                            .deadline = deadline,
                            .over = replayer ? replayer->over : 0,
                            .replay = replayer ? replay : NULL,
                            .user = replayer,
                            .progress = &screen->progress,
                            .limits = {.search_states = (uint64_t)o->states,
                                       .search_steps = (uint32_t)o->steps}};
  ok = (r->process || write_csp(o, r, &one->run, deadline, err)) &&
       predict_all(&one->run, &options, &one->predictions, err);
  r->trace = trace;
  r->places = places_new(trace);
  run_arrange(r, earlier, &one->predictions);
  if (o->sifter) run_sift(r, o->sifter, &one->predictions);
  r->predictions = &one->predictions;
  r->folder = o->output;
  r->seconds = clock_now() - start + one->recorded.end.seconds;
  int to = replayer ? STDERR_FILENO : STDOUT_FILENO;
  r->width = cli_width(to);
  r->color = cli_color(o->log ? COLOR_NEVER : (ColorChoice)o->common.color, to);
  r->verbose = o->common.verbose > 0;
  return ok;
}

bool run_judge_trace(const RunOptions *o, const char *path, RunOnce *one, Screen *screen,
                     Err *err) {
  StrMap earlier = {0};
  bool ok = judge(o, path, one, NULL, &earlier, screen, err);
  strmap_free(&earlier);
  return ok;
}

static bool record(const RunOptions *o, Subject *subject, const char *path, RunOnce *one,
                   Screen *screen, Err *err) {
  progress_phase(&screen->progress, "recording", 0);
  progress_hide(&screen->progress);
  subject->drive.timeout = (double)o->for_seconds;
  subject->drive.linger = (uint32_t)o->linger * 1000;
  subject->drive.leads = subject->drive.follows = true;
  subject->drive.with = o->with;
  if (o->without & WITHOUT_CACHE) subject->drive.variation |= CONTROL_EVERY_ACCESS;
  bool ok = drive_record(&subject->drive, path, &one->recorded, err);
  subject_reuse_input(subject);
  if (!ok) return false;
  one->report.recorded = one->recorded.control;
  one->report.end = &one->recorded.end;
  one->report.argv = subject->argv.data;
  one->report.sync_only = subject->preload != NULL;
  return one->recorded.control->process ||
         err_input(err, subject->path,
                   "link it dynamically, or build it with `heddle cc`",
                   "the program was not recorded: no runtime started in it");
}

/* ---- several runs ----------------------------------------------------------------- */

/* Schedules that are tried in turn when several runs are asked for: as it comes first. */
static const uint32_t variations[] = {0,
                                      CONTROL_YIELDS,
                                      CONTROL_NEW_LAST,
                                      CONTROL_NEW_FIRST,
                                      CONTROL_ONE_CORE,
                                      CONTROL_YIELDS | CONTROL_NEW_FIRST,
                                      CONTROL_ONE_CORE | CONTROL_YIELDS,
                                      CONTROL_YIELDS | CONTROL_NEW_LAST};

void run_session_free(Session *s) {
  for (uint32_t i = 0; i < s->all.len; i++) {
    run_once_free(s->all.data[i]);
    mem_free(s->all.data[i]);
  }
  vec_free(&s->all);
  strmap_free(&s->earlier);
}

/* The next of the session, with ids behind those before. */
static RunOnce *session_add(Session *s, const RunOptions *o, uint32_t number, Err *err) {
  RunOnce *one = mem_alloc_zero(sizeof *one);
  for (int p = 0; s->all.len && p < PROPERTY_COUNT; p++)
    one->report.before[p] =
        run_count_ids(&s->all.data[s->all.len - 1]->report, (Property)p);
  one->report.number = number + 1;
  one->report.count = (uint32_t)o->runs;
  vec_push(&s->all, one);
  return run_choose(o, &one->report, err) ? one : NULL;
}

/* When to be done with one of `count` that share what is left of the time. */
static double share_of(const Session *s, uint32_t count) {
  double now = clock_now();
  return now + (s->over - now) / count;
}

/* Another process of the run `first`: its trace lies beside that of the run. */
static bool judge_process(const RunOptions *o, const Subject *subject, Session *s,
                          const RunOnce *first, DriveProcess *process, uint32_t left,
                          Screen *screen, Err *err) {
  RunOnce *one = session_add(s, o, first->report.number - 1, err);
  if (!one) return false;
  Control *control = one->recorded.control = process->control;
  process->control = NULL;
  Err unread = {0};
  bool inside = drive_has_runtime(control->program, &unread);
  err_free(&unread);
  one->report.recorded = control;
  one->report.argv = first->report.argv;
  one->report.process = process->number;
  one->report.goes_on = process->goes_on;
  one->report.sync_only = !inside;
  Replayer replayer = {subject->drive, control->program, first->recorded.end.seconds,
                       share_of(s, left), 0};
  replayer.drive.process = process->number;
  return judge(o, control->trace, one, &replayer, &s->earlier, screen, err);
}

/* Nothing was found in the run that was asked for, but the threads that could have shown
 * something had no part in it. */
static bool needs_another(const RunOptions *o, const Session *s) {
  enum { MOST_MORE = 1 };
  if (o->runs > 1 || s->all.len > MOST_MORE || interrupt_asked()) return false;
  for (uint32_t i = 0; i < s->all.len; i++)
    if (run_exit_code(&s->all.data[i]->report) == EXIT_VIOLATED ||
        s->all.data[i]->report.process)
      return false;
  const RunOnce *last = s->all.data[s->all.len - 1];
  return last->report.asked[PROPERTY_RACE] && exchange_is_lopsided(&last->run);
}

/* Runs more, which the user does not see: as replays they have no output, and how they end says
 * nothing. */
static bool run_more(const RunOptions *o, Subject *subject, const char *path, Session *s,
                     Screen *screen, Err *err) {
  bool ok = true;
  while (ok && needs_another(o, s)) {
    RunOnce *one = session_add(s, o, s->all.len, err);
    subject->drive.variation = CONTROL_YIELDS | (s->all.len % 2 ? 0 : CONTROL_NEW_FIRST);
    subject->drive.seed = s->all.len;
    subject->drive.silent = true;
    ok = one && record(o, subject, path, one, screen, err);
    subject->drive.silent = false;
    if (!ok) break;
    one->report.end = NULL;
    Replayer replayer = {subject->drive, subject->path, one->recorded.end.seconds,
                         s->over, 0};
    ok = judge(o, path, one, &replayer, &s->earlier, screen, err);
  }
  for (uint32_t i = 0; i < s->all.len && o->runs == 1; i++)
    s->all.data[i]->report.count = s->all.data[s->all.len - 1]->report.number;
  return ok;
}

bool run_several(const RunOptions *o, Subject *subject, const char *path, Session *s,
                 Screen *screen, Err *err) {
  bool ok = true;
  enum { VARIATIONS = sizeof variations / sizeof *variations };
  for (uint32_t i = 0; ok && i < (uint32_t)o->runs && !(i && interrupt_asked()); i++) {
    RunOnce *one = session_add(s, o, i, err);
    subject->drive.variation = variations[i % VARIATIONS];
    subject->drive.seed = i;
    double began = clock_now();
    ok = one && record(o, subject, path, one, screen, err);
    if (!ok) break;
    uint32_t others = one->recorded.others.len;
    s->over = began + run_budget(&one->recorded.end, (double)o->timeout);
    Replayer replayer = {subject->drive, subject->path, one->recorded.end.seconds,
                         share_of(s, others + 1), 0};
    ok = judge(o, path, one, &replayer, &s->earlier, screen, err);
    for (uint32_t k = 0; k < others; k++) {
      DriveProcess *other = &one->recorded.others.data[k];
      char *trace = str_dup(other->control->trace);
      ok = ok && judge_process(o, subject, s, one, other, others - k, screen, err);
      if (!o->trace) unlink(trace);
      mem_free(trace);
    }
  }
  return ok && run_more(o, subject, path, s, screen, err);
}
