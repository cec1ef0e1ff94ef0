/* heddle run: record one run, predict, replay each prediction, report what showed.
 * heddle predict: the middle of it, on a recorded trace. */
#include "cli/cli.h"
#include "cli/collect.h"
#include "cli/report_files.h"
#include "cli/run_end.h"
#include "cli/run_report.h"
#include "cli/subject.h"

#include "base/interrupt.h"
#include "base/temp.h"
#include "front/events.h"
#include "predict/deadline.h"
#include "predict/exchange.h"
#include "predict/property.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  CommonOptions common;
  OptStrings words; /* the trace, or the program before -- was found missing */
  OptStrings program;
  const char *property, *events, *emit_csp;
  long long for_seconds, linger, runs, timeout, orders, states, steps, window, memory;
  ReportChoice reports;
  const char *output, *trace;
  long long found_status;
  const char *log, *collect, *with;
  SiftOptions sift;
  Sift *sifter; /* of these; no option */
} RunOptions;

#define AT(member) .offset = offsetof(RunOptions, member)

/* clang-format off */
#define PREDICT_OPTIONS                                                                  \
    {OPT_STRING, "property", .argument = "P", .initial_text = "all",                     \
     .help = "what to look for: race, deadlock, all (both), or a CSP_M file with "       \
     "assertions about PROGRAM", AT(property)},                                          \
    {OPT_FILE, "events", .argument = "FILE", .help = "make sure that the program was "   \
     "built with these events", AT(events)},                                             \
    {OPT_FILE, "emit-csp", .writes = true, .argument = "FILE", .help = "write the recorded run as a "    \
     "CSP_M script, with the property, for `heddle csp`", AT(emit_csp)},                 \
    {OPT_INT, "timeout", .argument = "S", .minimum = 1, .maximum = 86400,                \
     .initial = 60, .help = "end predicting and replaying after S seconds, with what is "\
     "known by then", AT(timeout)},                                                      \
    {OPT_INT, "orders", .argument = "N", .minimum = 1, .maximum = 1000, .initial = 6,    \
     .help = "try at most N different orders for one situation", AT(orders)},            \
    {OPT_INT, "states", .argument = "N", .minimum = 1, .maximum = 1000000000,            \
     .initial = 200000, .help = "give up one search for an order after N states",        \
     AT(states)},                                                                        \
    {OPT_INT, "search-steps", .argument = "N", .minimum = 1, .maximum = 10000000,        \
     .initial = 20000, .help = "search only situations that need at most N steps",       \
     AT(steps)},                                                                         \
    {OPT_INT, "window", .argument = "N", .minimum = 1, .maximum = 1000000000,            \
     .shown_default = "no limit", .help = "look only for errors between steps that are " \
     "at most N events apart in the recorded run", AT(window)},                          \
    {OPT_INT, "memory", .argument = "MIB", .minimum = 64, .maximum = 1048576,            \
     .initial = 2048, .help = "look at as much of a long run as fits into about so "     \
     "much memory", AT(memory)},                                                         \
    {OPT_FILE, "output", 'o', "DIR", .help = "write a schedule for each prediction "     \
     "into DIR", AT(output)}
/* clang-format on */

static const Option run_options[] = {
    PREDICT_OPTIONS,
    {OPT_INT, "for", .argument = "S", .minimum = 1, .maximum = 86400,
     .shown_default = "no limit", .help = "end the recorded run after S seconds",
     AT(for_seconds)},
    LINGER_OPTION(RunOptions, linger),
    WITH_OPTION(RunOptions, with),
    {OPT_INT, "runs", .argument = "N", .minimum = 1, .maximum = 1000, .initial = 1,
     .help = "record N runs under varied schedules, and tell what any of them shows",
     AT(runs)},
    {OPT_FILE, "trace", .writes = true, .argument = "FILE", .help = "keep the trace",
     AT(trace)},
    {OPT_FILE, "log", .writes = true, .argument = "FILE",
     .help = "write the report to FILE instead of standard error; %p in its name is the "
             "number of the process",
     AT(log)},
    {OPT_FILE, "collect", .argument = "DIR",
     .help = "leave the result in DIR, for `heddle report DIR`, instead of the text",
     AT(collect)},
    SIFT_OPTIONS(RunOptions, sift),
    {OPT_INT, "exit-code", .argument = "N", .maximum = 255, .initial = EXIT_VIOLATED,
     .help = "exit with N when an error was found; 0: with the program's own status, "
             "whatever was found",
     AT(found_status)},
    /* clang-format off */
    FILE_REPORTS(REPORT_FILE_OPTION)
    /* clang-format on */
    COMMON_OPTIONS(RunOptions, common),
    {0}};

static const OptPair run_examples[] = {
    {"heddle cc -O1 prog.c -o prog && heddle run -- ./prog",
     "Find races and deadlocks of one source in orders that did not happen."},
    {"make CC=\"heddle cc\" && heddle run -o found -- ./server --once",
     "The same for a project; keep the schedules of what was found."},
    {"heddle run --events api.events --property api.csp -- ./prog",
     "Check rules of order of your own, in a program built with `heddle cc --events "
     "api.events`."},
    {"heddle run --property deadlock -- ./anything",
     "Any dynamically linked program: only its synchronisation is seen."},
    {0}};

static const OptCommand run_table = {
    .name = "run",
    .summary = "record one run, predict errors in other orders, replay them",
    .usage = "-- PROGRAM ARGUMENTS...",
    .description =
        "Runs the program once and records what its threads do. Two accesses that nothing "
        "ordered in that run are a data race. From the run, data races and deadlocks are "
        "predicted that another order of the same steps would show; each prediction is tried "
        "in the program itself, whose threads are made to follow that order. Only what was "
        "seen in the run or showed in a replay is an error.\n"
        "\n"
        "The report goes to standard error, the output of the program is its own. A signal "
        "that asks heddle to stop (Ctrl-C) goes to the program, and then the report is "
        "made; a second one ends everything at once.\n"
        "\n"
        "The exit code is 1 when an error was found; otherwise the program's own status if "
        "it failed (128 and the number of the signal if it was killed); otherwise 2 when a "
        "prediction could neither be replayed nor excluded, and 0 when there was none, "
        "which is no proof.",
    .options = run_options,
    .examples = run_examples,
    .operand = "PROGRAM",
    .operands = offsetof(RunOptions, words),
    .takes_rest = true,
    .rest = offsetof(RunOptions, program),
};

static const Option predict_options[] = {
    PREDICT_OPTIONS, COMMON_OPTIONS(RunOptions, common), {0}};

static const OptPair predict_examples[] = {
    {"heddle record -o t.trace -- ./prog && heddle predict t.trace -o found",
     "Predict without replaying; the schedules go to found/."},
    {0}};

static const OptCommand predict_table = {
    .name = "predict",
    .summary = "predict errors from a recorded trace",
    .usage = "TRACE -o DIR",
    .description =
        "Looks for races and deadlocks in orders of the recorded steps that did not happen, "
        "and writes a schedule for each. `heddle replay` tries one in the program. Nothing "
        "is an error before that: the exit code is 2 when something was predicted, else 0.",
    .options = predict_options,
    .examples = predict_examples,
    .operand = "TRACE",
    .operand_files = "trace",
    .operands = offsetof(RunOptions, words),
    .at_least = 1,
    .at_most = 1,
};

/* ---- what to look for ------------------------------------------------------------- */

static bool choose(const RunOptions *o, RunReport *r, Err *err) {
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

/* The events that the user counts on must be in the program. */
static bool check_events(const char *path, const Trace *trace, Err *err) {
  Events events = {0};
  bool ok = events_read(path, &events, err);
  for (uint32_t i = 0; ok && i < events.orders.len; i++) {
    const EventOrder *order = &events.orders.data[i];
    bool found = false;
    for (uint32_t k = 0; k < trace->kinds.len; k++)
      found |= str_eq(trace->kinds.data[k].text, order->text);
    if (!found)
      ok = err_set(err, ERR_INPUT, path, order->place, 1,
                   "build it with `heddle cc --events FILE`",
                   "the program was not built with the event %s", order->name);
  }
  events_free(&events);
  return ok;
}

static bool write_csp(const RunOptions *o, const RunReport *r, const Run *run, Err *err) {
  Str text = {0};
  bool ok = !o->emit_csp || (property_script(run, r->rules, &text, err) &&
                             outfile_save(o->emit_csp, text.data, text.len, err));
  str_free(&text);
  return ok;
}

/* ---- predicting ------------------------------------------------------------------- */

typedef struct {
  Drive drive;         /* of the program */
  const char *program; /* the file of the process that is replayed */
  double recorded;     /* seconds */
  double deadline;     /* of prediction */
} Replayer;

enum {
  CLOCKS_SHARE = 4
}; /* the part of the memory that is for what happened before what */
/* So many seconds, and times the program's own, before less is tried for one finding. */
enum { GENEROUS = 2, GENEROUS_TIMES = 10 };
enum { LAST_REPLAY = 1 }; /* seconds for one that began when the time was nearly over */

/* A program that runs freely takes about as long as it did; one that waits for its turn
 * often takes longer. */
static bool replay(void *user, const Schedule *schedule, Control **ret, Err *err) {
  Replayer *r = user;
  DriveResult result;
  Drive drive = r->drive;
  drive.silent = drive.stop = true;
  drive.patience = 500 + (uint32_t)(r->recorded * 4000);
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

typedef struct {
  Trace trace;
  Run run;
  Predictions predictions;
  DriveResult recorded;
  RunReport report;
} RunOnce;

static void once_free(RunOnce *one) {
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
  if (ok && o->events && !r->process) ok = check_events(o->events, trace, err);
  if (!ok) return false;
  run_init(&one->run, trace, &screen->progress);
  PredictOptions options = {
      .race = r->asked[PROPERTY_RACE] && !r->sync_only,
      .deadlock = r->asked[PROPERTY_DEADLOCK],
      .observe = replayer != NULL,
      .memory = memory / CLOCKS_SHARE,
      .property = r->rules,
      .program = replayer             ? replayer->program
                 : trace->modules.len ? trace->modules.data[0].path
                                      : NULL,
      .orders = (uint32_t)o->orders,
      .window = (uint32_t)o->window,
      .deadline = deadline,
      .generous = replayer ? start + GENEROUS + GENEROUS_TIMES * replayer->recorded : 0,
      .replay = replayer ? replay : NULL,
      .user = replayer,
      .progress = &screen->progress,
      .limits = {.search_states = (uint64_t)o->states,
                 .search_steps = (uint32_t)o->steps}};
  ok = (r->process || write_csp(o, r, &one->run, err)) &&
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

static bool record(const RunOptions *o, Subject *subject, const char *path, RunOnce *one,
                   Screen *screen, Err *err) {
  progress_phase(&screen->progress, "recording", 0);
  progress_hide(&screen->progress);
  subject->drive.timeout = (double)o->for_seconds;
  subject->drive.linger = (uint32_t)o->linger * 1000;
  subject->drive.leads = subject->drive.follows = true;
  subject->drive.with = o->with;
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

/* ---- the commands ----------------------------------------------------------------- */

/* Schedules that are tried in turn when several runs are asked for: as it comes first. */
static const uint32_t variations[] = {0,
                                      CONTROL_YIELDS,
                                      CONTROL_NEW_LAST,
                                      CONTROL_NEW_FIRST,
                                      CONTROL_ONE_CORE,
                                      CONTROL_YIELDS | CONTROL_NEW_FIRST,
                                      CONTROL_ONE_CORE | CONTROL_YIELDS,
                                      CONTROL_YIELDS | CONTROL_NEW_LAST};

typedef struct {
  VEC(RunOnce *) all; /* the runs, each followed by the other processes in it */
  StrMap earlier;     /* what they have shown */
} Session;

static void session_free(Session *s) {
  for (uint32_t i = 0; i < s->all.len; i++) {
    once_free(s->all.data[i]);
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
  return choose(o, &one->report, err) ? one : NULL;
}

/* Another process of the run `first`: its trace lies beside that of the run. */
static bool judge_process(const RunOptions *o, const Subject *subject, Session *s,
                          const RunOnce *first, DriveProcess *process, Screen *screen,
                          Err *err) {
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
  Replayer replayer = {subject->drive, control->program, first->recorded.end.seconds, 0};
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
    Replayer replayer = {subject->drive, subject->path, one->recorded.end.seconds, 0};
    ok = judge(o, path, one, &replayer, &s->earlier, screen, err);
  }
  for (uint32_t i = 0; i < s->all.len && o->runs == 1; i++)
    s->all.data[i]->report.count = s->all.data[s->all.len - 1]->report.number;
  return ok;
}

/* All runs, as many as there were until something went wrong. */
static bool run_several(const RunOptions *o, Subject *subject, const char *path,
                        Session *s, Screen *screen, Err *err) {
  bool ok = true;
  enum { VARIATIONS = sizeof variations / sizeof *variations };
  for (uint32_t i = 0; ok && i < (uint32_t)o->runs && !(i && interrupt_asked()); i++) {
    RunOnce *one = session_add(s, o, i, err);
    subject->drive.variation = variations[i % VARIATIONS];
    subject->drive.seed = i;
    ok = one && record(o, subject, path, one, screen, err);
    if (!ok) break;
    Replayer replayer = {subject->drive, subject->path, one->recorded.end.seconds, 0};
    ok = judge(o, path, one, &replayer, &s->earlier, screen, err);
    for (uint32_t k = 0; k < one->recorded.others.len; k++) {
      DriveProcess *other = &one->recorded.others.data[k];
      char *trace = str_dup(other->control->trace);
      ok = ok && judge_process(o, subject, s, one, other, screen, err);
      if (!o->trace) unlink(trace);
      mem_free(trace);
    }
  }
  return ok && run_more(o, subject, path, s, screen, err);
}

/* Writes everything, and yields the exit status. */
static int tell(const RunOptions *o, const Session *s, Outputs *outputs, Err *err) {
  Str text = {0};
  uint32_t count = s->all.len;
  const RunReport **all = mem_alloc_zero((count + 1) * sizeof *all);
  for (uint32_t i = 0; i < count; i++) all[i] = &s->all.data[i]->report;
  int code = run_status(all, count, (int)o->found_status);
  bool wanted = o->log || (outputs->text && !o->collect);
  if (run_write(all, count, run_table.name, code, outputs, &text, err) && wanted)
    run_log_write(o->log, all[0]->recorded->process, &text, err);
  mem_free(all);
  str_free(&text);
  return code;
}

/* A result in the folder of many. */
static bool collect_json(RunOptions *o, char **ret_name, Err *err) {
  if (o->reports.files[REPORT_JSON])
    return err_input(err, NULL, "give one of them",
                     "--collect and --json exclude each other");
  *ret_name = collect_name(o->collect, o->words.data[0], err);
  o->reports.files[REPORT_JSON] = *ret_name;
  return *ret_name != NULL;
}

static int run_program(RunOptions *o) {
  Err err = {0};
  Subject subject = {.drive = {.input = -1}};
  Screen screen;
  Outputs outputs = {0};
  char *folder = NULL, *path = NULL;
  Session session = {0};
  RunReport asked = {0};
  int code = 0;
  cli_screen(&screen, &o->common);
  for (uint32_t i = 0; i < o->program.len; i++) vec_push(&o->words, o->program.data[i]);
  bool ok = choose(o, &asked, &err) && subject_open(&subject, &o->words, &err);
  char *collected = NULL; /* the JSON, if it is not asked for by name */
  ok = ok && (o->sifter = sift_new(&o->sift, &err)) != NULL;
  if (ok && o->collect) ok = collect_json(o, &collected, &err);
  ok = ok && outputs_check(&o->reports, 0, &err) && run_log_check(o->log, &err) &&
       outputs_open(&o->reports, &outputs, &err);
  if (ok && !o->trace) ok = (folder = temp_dir_new(&err)) != NULL;
  if (ok) {
    path = o->trace ? str_dup(o->trace) : str_printf("%s/trace", folder);
    if (folder) temp_register(path);
    subject_keep_input(&subject);
    interrupt_take();
    ok = run_several(o, &subject, path, &session, &screen, &err);
    progress_hide(&screen.progress);
    code = ok ? tell(o, &session, &outputs, &err) : 0;
    ok = err.kind == ERR_NONE;
  }
  progress_end(&screen.progress);
  if (!ok) code = cli_fail(&err);
  if (folder) {
    temp_remove(path);
    temp_remove(folder);
  }
  mem_free(path);
  mem_free(folder);
  outputs_discard(&outputs);
  session_free(&session);
  sift_free(o->sifter);
  mem_free(collected);
  subject_close(&subject);
  return code;
}

static int run(int argc, char **argv) {
  RunOptions values = {0};
  int code;
  if (cli_parse(&run_table, argc, argv, &values, &values.common, &code))
    code = run_program(&values);
  opt_free(&run_table, &values);
  return code;
}

static int predict(int argc, char **argv) {
  RunOptions values = {0};
  int code;
  if (cli_parse(&predict_table, argc, argv, &values, &values.common, &code)) {
    Screen screen;
    const char *nothing[] = {"PROGRAM", NULL};
    RunOnce one = {.report = {.argv = nothing}};
    const RunReport *report = &one.report;
    StrMap earlier = {0};
    Err err = {0};
    Outputs outputs = {0};
    cli_screen(&screen, &values.common);
    Str text = {0};
    bool ok = choose(&values, &one.report, &err) &&
              outputs_open(&values.reports, &outputs, &err) &&
              judge(&values, values.words.data[0], &one, NULL, &earlier, &screen, &err) &&
              run_write(&report, 1, run_table.name, run_exit_code(report), &outputs,
                        &text, &err);
    progress_end(&screen.progress);
    code = ok ? run_exit_code(report) : cli_fail(&err);
    if (ok && cli_print(str_text(&text))) code = EXIT_BAD_INPUT;
    str_free(&text);
    outputs_discard(&outputs);
    once_free(&one);
    strmap_free(&earlier);
  }
  opt_free(&predict_table, &values);
  return code;
}

const Command cmd_run = {&run_table, run};
const Command cmd_predict = {&predict_table, predict};
