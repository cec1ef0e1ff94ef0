/* heddle run: record one run, predict, replay each prediction, report what showed.
 * heddle predict: the middle of it, on a recorded trace. */
#include "cli/cli.h"
#include "cli/report_files.h"
#include "cli/run_report.h"
#include "cli/subject.h"

#include "base/temp.h"
#include "front/events.h"
#include "predict/deadline.h"
#include "predict/property.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  CommonOptions common;
  OptStrings words; /* the trace, or the program before -- was found missing */
  OptStrings program;
  const char *property, *events, *emit_csp;
  long long for_seconds, linger, timeout, orders, states, steps, window;
  ReportChoice reports;
  const char *output, *trace;
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
    {OPT_FILE, "output", 'o', "DIR", .help = "write a schedule for each prediction "     \
     "into DIR", AT(output)}
/* clang-format on */

static const Option run_options[] = {
    PREDICT_OPTIONS,
    {OPT_INT, "for", .argument = "S", .minimum = 1, .maximum = 86400,
     .shown_default = "no limit", .help = "end the recorded run after S seconds",
     AT(for_seconds)},
    LINGER_OPTION(RunOptions, linger),
    {OPT_FILE, "trace", .writes = true, .argument = "FILE", .help = "keep the trace",
     AT(trace)},
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
        "Runs the program once and records what its threads do. From that, data races and "
        "deadlocks are predicted that another order of the same steps would show. Each "
        "prediction is tried in the program itself, whose threads are made to follow that "
        "order; only what showed is an error.\n"
        "\n"
        "The exit code is 1 when an error was replayed, 2 when a prediction could neither "
        "be replayed nor excluded, 0 when no error could be predicted from this run.",
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
  Subject *subject;
  double recorded; /* seconds */
  double deadline; /* of prediction */
} Replayer;

static const uint64_t OBSERVE_MEMORY = (uint64_t)256 << 20;
enum { LAST_REPLAY = 1 }; /* seconds for one that began when the time was nearly over */

/* A program that runs freely takes about as long as it did; one that waits for its turn
 * often takes longer. */
static bool replay(void *user, const Schedule *schedule, Control **ret, Err *err) {
  Replayer *r = user;
  DriveResult result;
  Drive drive = r->subject->drive;
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

static bool write_schedules(const RunReport *r, Err *err) {
  if (!r->folder) return true;
  if (mkdir(r->folder, 0777) != 0 && errno != EEXIST)
    return err_input(err, r->folder, "check the folder", "%s", strerror(errno));
  bool ok = true;
  for (uint32_t i = 0; ok && i < r->predictions->predictions.len; i++) {
    const Prediction *x = &r->predictions->predictions.data[i];
    if (x->state == PREDICT_DROPPED || !run_has_schedule(x)) continue;
    Str path = {0}, text = {0};
    str_addf(&path, "%s/", r->folder);
    run_add_id(r, i, &path);
    str_add(&path, ".schedule");
    schedule_write(&x->schedule, r->places, &text);
    ok = outfile_save(str_text(&path), text.data, text.len, err);
    str_free(&path);
    str_free(&text);
  }
  return ok;
}

static bool write_report(const RunReport *r, Outputs *outputs, Err *err) {
  Str text = {0};
  size_t count = 0;
  while (r->argv[count]) count++;
  ReportOrigin origin = {.version = cli_program.version,
                         .command = run_table.name,
                         .inputs = r->argv,
                         .input_count = count,
                         .has_exit_code = true,
                         .exit_code = run_exit_code(r)};
  CheckResult result = {0};
  if (outputs_any(outputs)) run_tell(r, &result);
  bool ok = outputs_write(outputs, &result, &origin, err);
  if (ok && outputs->text) {
    run_text(r, &text);
    outfile_write(outputs->text, text.data, text.len);
  }
  result_free(&result);
  str_free(&text);
  return ok && outputs_commit(outputs, err);
}

/* Reads the trace, predicts, writes. */
static int judge(const RunOptions *o, const char *trace_path, RunReport *r,
                 Replayer *replayer, double start, Outputs *outputs, Screen *screen) {
  Err err = {0};
  Trace trace = {0};
  Run run = {0};
  Predictions predictions = {0};
  int code = 0;
  double deadline = clock_now() + (double)o->timeout;
  if (replayer) replayer->deadline = deadline;
  bool ok = trace_read(trace_path, &screen->progress, &trace, &err);
  if (ok && o->events) ok = check_events(o->events, &trace, &err);
  if (ok) {
    run_init(&run, &trace, &screen->progress);
    PredictOptions options = {.race = r->asked[PROPERTY_RACE] && !r->sync_only,
                              .deadlock = r->asked[PROPERTY_DEADLOCK],
                              .observe = replayer != NULL,
                              .memory = OBSERVE_MEMORY,
                              .property = r->rules,
                              .program = replayer            ? replayer->subject->path
                                         : trace.modules.len ? trace.modules.data[0].path
                                                             : NULL,
                              .orders = (uint32_t)o->orders,
                              .window = (uint32_t)o->window,
                              .deadline = deadline,
                              .replay = replayer ? replay : NULL,
                              .user = replayer,
                              .progress = &screen->progress,
                              .limits = {.search_states = (uint64_t)o->states,
                                         .search_steps = (uint32_t)o->steps}};
    ok = write_csp(o, r, &run, &err) && predict_all(&run, &options, &predictions, &err);
    r->trace = &trace;
    r->places = places_new(&trace);
    r->predictions = &predictions;
    r->folder = o->output;
    r->seconds = clock_now() - start;
    r->width = cli_width();
    r->color = cli_color((ColorChoice)o->common.color, STDOUT_FILENO);
    r->verbose = o->common.verbose > 0;
    ok = ok && write_schedules(r, &err) && write_report(r, outputs, &err);
    code = run_exit_code(r);
    places_free(r->places);
  }
  progress_end(&screen->progress);
  predict_free(&predictions);
  run_free(&run);
  trace_free(&trace);
  return ok ? code : cli_fail(&err);
}

/* ---- the commands ----------------------------------------------------------------- */

static int run_program(RunOptions *o) {
  Err err = {0};
  Subject subject = {.drive = {.input = -1}};
  Screen screen;
  DriveResult recorded = {0};
  Outputs outputs = {0};
  char *folder = NULL, *path = NULL;
  double start = clock_now();
  int code;
  cli_screen(&screen, &o->common);
  for (uint32_t i = 0; i < o->program.len; i++) vec_push(&o->words, o->program.data[i]);
  RunReport r = {0};
  bool ok = choose(o, &r, &err) && subject_open(&subject, &o->words, &err);
  ok = ok && outputs_check(&o->reports, 0, &err) &&
       outputs_open(&o->reports, &outputs, &err);
  if (ok && !o->trace) ok = (folder = temp_dir_new(&err)) != NULL;
  if (ok) {
    path = o->trace ? str_dup(o->trace) : str_printf("%s/trace", folder);
    if (folder) temp_register(path);
    subject_keep_input(&subject);
    subject.drive.timeout = (double)o->for_seconds;
    subject.drive.linger = (uint32_t)o->linger * 1000;
    progress_phase(&screen.progress, "recording", 0);
    progress_hide(&screen.progress);
    ok = drive_record(&subject.drive, path, &recorded, &err);
  }
  if (ok && !recorded.control->process)
    ok =
        err_input(&err, subject.path, "link it dynamically, or build it with `heddle cc`",
                  "the program was not recorded: no runtime started in it");
  if (ok) {
    r.recorded = recorded.control;
    r.end = &recorded.end;
    r.argv = subject.argv.data;
    r.sync_only = subject.preload != NULL;
    Replayer replayer = {&subject, recorded.end.seconds, 0};
    code = judge(o, path, &r, &replayer, start, &outputs, &screen);
  } else {
    code = cli_fail(&err);
  }
  if (folder) {
    temp_remove(path);
    temp_remove(folder);
  }
  mem_free(path);
  mem_free(folder);
  outputs_discard(&outputs);
  drive_result_free(&recorded);
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
    RunReport r = {.argv = nothing};
    Err err = {0};
    Outputs outputs = {0};
    cli_screen(&screen, &values.common);
    code = choose(&values, &r, &err) && outputs_open(&values.reports, &outputs, &err)
               ? judge(&values, values.words.data[0], &r, NULL, clock_now(), &outputs,
                       &screen)
               : cli_fail(&err);
    outputs_discard(&outputs);
  }
  opt_free(&predict_table, &values);
  return code;
}

const Command cmd_run = {&run_table, run};
const Command cmd_predict = {&predict_table, predict};
