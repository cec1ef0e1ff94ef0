/* heddle record: run a program and write down what its threads do. */
#include "cli/cli.h"
#include "cli/subject.h"
#include "trace/pack.h"

typedef struct {
  CommonOptions common;
  OptStrings words, program;
  const char *output;
  long long for_seconds, linger;
  const char *with;
  bool every_access;
} RecordOptions;

#define AT(member) .offset = offsetof(RecordOptions, member)

static const Option options[] = {{OPT_FILE, "output", 'o', "TRACE", .writes = true,
                                  .help = "the file to write", AT(output)},
                                 {OPT_INT, "for", .argument = "S", .minimum = 1,
                                  .maximum = 86400, .shown_default = "no limit",
                                  .help = "end the program after S seconds",
                                  AT(for_seconds)},
                                 LINGER_OPTION(RecordOptions, linger),
                                 WITH_OPTION(RecordOptions, with),
                                 {OPT_FLAG, "every-access",
                                  .help = "write down each access, also to memory that "
                                          "the thread has just accessed",
                                  AT(every_access)},
                                 COMMON_OPTIONS(RecordOptions, common),
                                 {0}};

static const OptPair examples[] = {
    {"heddle record -o t.trace -- ./prog input.txt", "Record one run."},
    {"heddle record --for 10 -o t.trace -- ./server",
     "Record ten seconds of a program that does "
     "not end."},
    {0}};

static const OptCommand table = {
    .name = "record",
    .summary = "record what the threads of a program do",
    .usage = "-o TRACE -- PROGRAM ARGUMENTS...",
    .description =
        "Runs the program and writes a trace of its synchronisation and, if it was built with "
        "`heddle cc`, of its accesses to memory. A program that crashes, is "
        "killed or is ended by --for leaves a trace up to there. The exit code is 0 when the "
        "trace was written, whatever the program did.",
    .options = options,
    .examples = examples,
    .operand = "PROGRAM",
    .operands = offsetof(RecordOptions, words),
    .takes_rest = true,
    .rest = offsetof(RecordOptions, program),
};

static int record(RecordOptions *o) {
  Err err = {0};
  Subject subject = {.drive = {.input = -1}};
  DriveResult result = {0};
  for (uint32_t i = 0; i < o->program.len; i++) vec_push(&o->words, o->program.data[i]);
  bool ok = o->output || err_input(&err, NULL, "name it with -o FILE",
                                   "no file for the trace is given");
  ok = ok && subject_open(&subject, &o->words, &err);
  subject.drive.timeout = (double)o->for_seconds;
  subject.drive.linger = (uint32_t)o->linger * 1000;
  subject.drive.with = o->with;
  if (o->every_access) subject.drive.variation = CONTROL_EVERY_ACCESS;
  ok = ok && drive_record(&subject.drive, o->output, &result, &err);
  if (ok && !result.control->process)
    ok =
        err_input(&err, subject.path, "link it dynamically, or build it with `heddle cc`",
                  "the program was not recorded: no runtime started in it");
  if (ok) trace_pack(o->output);
  int code = ok ? EXIT_HOLDS : cli_fail(&err);
  drive_result_free(&result);
  subject_close(&subject);
  return code;
}

static int run(int argc, char **argv) {
  RecordOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = record(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_record = {&table, run};
