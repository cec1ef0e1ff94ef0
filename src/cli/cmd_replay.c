/* heddle replay: let a program follow a schedule until the error shows. */
#include "cli/cli.h"
#include "cli/run_report.h"
#include "cli/subject.h"

#include "base/clock.h"
#include "predict/property.h"

#include <string.h>

typedef struct {
  CommonOptions common;
  OptStrings words, program;
  int order;
  bool gdb, go_on, any_program;
  long long timeout, process;
  const char *with;
} ReplayOptions;

#define AT(member) .offset = offsetof(ReplayOptions, member)

static const Option options[] = {
    {OPT_ENUM, "order", .argument = "ORDER", .words = "ab|ba",
     .help = "which of two racing accesses goes first", AT(order)},
    {OPT_FLAG, "go-on", .help = "let the program run on when the error has shown",
     AT(go_on)},
    {OPT_FLAG, "gdb", .help = "start the program in gdb, stopped where the error shows",
     AT(gdb)},
    {OPT_FLAG, "any-program",
     .help = "also when the program is not the one that was recorded", AT(any_program)},
    {OPT_INT, "process", .argument = "N", .maximum = CONTROL_PROCESSES,
     .shown_default = "the program itself",
     .help = "the schedule is for the N-th process that the program starts", AT(process)},
    WITH_OPTION(ReplayOptions, with),
    {OPT_INT, "timeout", .argument = "S", .minimum = 1, .maximum = 86400, .initial = 60,
     .help = "give up after S seconds", AT(timeout)},
    COMMON_OPTIONS(ReplayOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle replay found/R1.schedule -- ./prog", "Show a race again."},
    {"heddle replay --go-on --order ba found/R1.schedule -- ./prog",
     "See what becomes of it when the second access goes first."},
    {"heddle replay --gdb found/D1.schedule -- ./prog",
     "Look at a deadlock in the debugger."},
    {0}};

static const OptCommand table = {
    .name = "replay",
    .summary = "let a program follow a schedule to its error",
    .usage = "SCHEDULE -- PROGRAM ARGUMENTS...",
    .description =
        "Runs the program with its threads in the order of the schedule, as `heddle run -o` and "
        "`heddle predict` write it. The exit code is 1 when the error showed, 0 when the "
        "schedule ended without it, 2 when it could not be followed.",
    .options = options,
    .examples = examples,
    .operand = "SCHEDULE",
    .operand_files = "schedule",
    .operands = offsetof(ReplayOptions, words),
    .at_least = 1,
    .takes_rest = true,
    .rest = offsetof(ReplayOptions, program),
};

static bool same_program(const Schedule *s, const char *path, Err *err) {
  Schedule now;
  schedule_init(&now);
  bool ok = schedule_set_program(&now, path, err);
  if (ok && now.program_hash != s->program_hash)
    ok = err_input(err, path,
                   "build it as it was, record again, or force it with --any-program",
                   "this is not the %s that was recorded", s->program);
  schedule_free(&now);
  return ok;
}

/* A schedule of a property: the events that were seen, and what they mean. False after
 * filling `err`. */
static bool tell_property(const Schedule *s, const Control *c, Str *text, int *ret_code,
                          Err *err) {
  bool fails;
  Str why = {0};
  bool ok = property_judge(s, c, &fails, &why, err);
  if (ok && fails) {
    *ret_code = EXIT_VIOLATED;
    str_addf(text, "the property failed after %u of %u steps\n    %s\n", c->at,
             s->steps.len, str_text(&why));
  }
  str_free(&why);
  return ok;
}

static int tell(const Schedule *s, const DriveResult *result) {
  const Control *c = result->control;
  Trace trace = {0};
  Str text = {0};
  Err err = {0};
  int code = EXIT_UNDECIDED;
  if (s->rule && !tell_property(s, c, &text, &code, &err)) return cli_fail(&err);
  drive_modules(c, &trace);
  RunReport r = {.trace = &trace, .places = places_new(&trace)};
  if (code == EXIT_VIOLATED) {
    run_text_shown(&r, c, s, &text);
  } else if (c->outcome == CONTROL_RACE || c->outcome == CONTROL_DEADLOCK) {
    code = EXIT_VIOLATED;
    str_addf(&text, "the %s showed after %u of %u steps\n",
             c->outcome == CONTROL_RACE ? "race" : "deadlock", c->at, s->steps.len);
    run_text_shown(&r, c, s, &text);
    if (c->outcome == CONTROL_RACE) {
      Confirmation confirmation = confirm_race(s, c);
      run_text_confirmed(&r, s, &confirmation, &text);
      if (confirmation.refuted) code = EXIT_UNDECIDED;
    }
  } else if (c->outcome == CONTROL_DIVERGED) {
    str_addf(
        &text, "the schedule could not be followed: after %u of %u steps %s came to %s",
        c->at, s->steps.len,
        c->diverged_thread < s->threads.len ? s->threads.data[c->diverged_thread].name
                                            : "another thread",
        trace_op_word((TraceOp)c->diverged_op));
    if (c->at < s->steps.len)
      str_addf(&text, " instead of %s", trace_op_word((TraceOp)s->steps.data[c->at].op));
    str_add(&text, " at ");
    places_add(r.places, c->diverged_pc, &text);
    str_add_char(&text, '\n');
  } else if (c->outcome == CONTROL_WAITING) {
    str_addf(&text, "after %u of %u steps %s\n", c->at, s->steps.len, run_why_waiting(c));
  } else if (c->outcome == CONTROL_FOLLOWED && result->end.end != PROC_TIMED_OUT) {
    code = EXIT_HOLDS;
    str_add(&text, "the schedule was followed to its end, and the error did not show\n");
  } else {
    str_addf(&text,
             "the schedule was not followed to its end: %u of %u steps were done\n",
             c->at, s->steps.len);
  }
  int failed = cli_print(str_text(&text));
  str_free(&text);
  places_free(r.places);
  trace_free(&trace);
  return failed ? failed : code;
}

/* Whom the items of a pool fall to may be decided outside of the schedule, by a pipe for example: a thread that came
 * elsewhere may come there in another try. */
static bool drive(const ReplayOptions *o, const Subject *subject, const Schedule *s,
                  DriveResult *ret, Err *err) {
  enum { MOST_TRIES = 100, MOST_SECONDS = 5 };
  double until = clock_now() + MOST_SECONDS;
  bool ok = drive_replay(&subject->drive, s, ret, err);
  for (int i = 1; ok && i < MOST_TRIES && !o->gdb && clock_now() < until &&
                  ret->control->outcome == CONTROL_DIVERGED;
       i++) {
    drive_result_free(ret);
    *ret = (DriveResult){0};
    ok = drive_replay(&subject->drive, s, ret, err);
  }
  return ok;
}

static int replay(ReplayOptions *o) {
  Err err = {0};
  Subject subject = {.drive = {.input = -1}};
  Schedule schedule;
  DriveResult result = {0};
  Str text = {0};
  OptStrings words = {0};
  for (uint32_t i = 1; i < o->words.len; i++) vec_push(&words, o->words.data[i]);
  for (uint32_t i = 0; i < o->program.len; i++) vec_push(&words, o->program.data[i]);
  schedule_init(&schedule);
  bool ok = cli_read_file(o->words.data[0], &text, &err) &&
            schedule_read(&schedule, o->words.data[0], str_text(&text), text.len, &err) &&
            subject_open(&subject, &words, &err) &&
            (o->any_program || o->process || same_program(&schedule, subject.path, &err));
  if (ok) {
    subject.drive.linger = 1000;
    subject.drive.with = o->with;
    subject.drive.process = (uint32_t)o->process;
    subject.drive.order = (uint32_t)o->order;
    subject.drive.stop = !o->go_on && !o->gdb;
    subject.drive.debugger = o->gdb ? "gdb" : NULL;
    subject.drive.timeout = o->gdb ? 0 : (double)o->timeout;
    ok = drive(o, &subject, &schedule, &result, &err);
  }
  int code = ok ? tell(&schedule, &result) : cli_fail(&err);
  drive_result_free(&result);
  schedule_free(&schedule);
  subject_close(&subject);
  vec_free(&words);
  str_free(&text);
  return code;
}

static int run(int argc, char **argv) {
  ReplayOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = replay(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_replay = {&table, run};
