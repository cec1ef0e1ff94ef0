/* heddle run: record one run, predict, replay each prediction, report what showed.
 * heddle predict: the middle of it, on a recorded trace. */
#include "cli/cli.h"
#include "cli/collect.h"
#include "cli/report_files.h"
#include "cli/run_end.h"
#include "cli/run_session.h"

#include "base/interrupt.h"
#include "base/temp.h"

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
    {OPT_FLAG, "as-recorded", .help = "only orders of the recorded steps in which "      \
     "atomics read what they read, and waits are waited: those of --emit-csp",           \
     AT(as_recorded)},                                                                   \
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
     .initial = 1024, .help = "look at as much of a long run as fits into about so "     \
     "much memory", AT(memory)},                                                         \
    {OPT_FILE, "output", 'o', "DIR", .help = "write a schedule for each prediction "     \
     "into DIR", AT(output)}
/* clang-format on */

#define WITHOUT_OPTION(reductions)                                                       \
  {OPT_LIST,                                                                             \
   "without",                                                                            \
   .argument = "LIST",                                                                   \
   .words = reductions,                                                                  \
   .shown_default = "all are made",                                                      \
   .help = "reductions that are not made, in the model of --emit-csp and the numbers "   \
           "of --json",                                                                  \
   AT(without)}

static const Option run_options[] = {
    PREDICT_OPTIONS,
    WITHOUT_OPTION(RECORDED_REDUCTIONS),
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
    FILE_REPORTS(REPORT_FILE_OPTION) REPORT_ROOT_OPTION
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

static const Option predict_options[] = {PREDICT_OPTIONS,
                                         WITHOUT_OPTION(REDUCTIONS),
                                         /* clang-format off */
                                         FILE_REPORTS(REPORT_FILE_OPTION) REPORT_ROOT_OPTION
                                                 /* clang-format on */
                                                 COMMON_OPTIONS(RunOptions, common),
                                         {0}};

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

/* ---- the commands ----------------------------------------------------------------- */

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
  bool ok = run_choose(o, &asked, &err) && subject_open(&subject, &o->words, &err);
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
  run_session_free(&session);
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
    Err err = {0};
    Outputs outputs = {0};
    cli_screen(&screen, &values.common);
    Str text = {0};
    bool ok = run_choose(&values, &one.report, &err) &&
              outputs_check(&values.reports, 0, &err) &&
              outputs_open(&values.reports, &outputs, &err);
    bool wanted = outputs.text != NULL;
    ok = ok && run_judge_trace(&values, values.words.data[0], &one, &screen, &err) &&
         run_write(&report, 1, run_table.name, run_exit_code(report), &outputs, &text,
                   &err);
    progress_end(&screen.progress);
    code = ok ? run_exit_code(report) : cli_fail(&err);
    if (ok && wanted && cli_print(str_text(&text))) code = EXIT_BAD_INPUT;
    str_free(&text);
    outputs_discard(&outputs);
    run_once_free(&one);
  }
  opt_free(&predict_table, &values);
  return code;
}

const Command cmd_run = {&run_table, run};
const Command cmd_predict = {&predict_table, predict};
