/* heddle seq: writes a concurrent program as a sequential one.
 *
 * Load, then translate (seqc/seqc.h). The file is complete or not there: it gets its name only
 * when everything could be translated. */
#include "cli/cli.h"
#include "cli/load.h"

#include "seqc/seqc.h"

typedef struct {
  CommonOptions common;
  SourceOptions source;
  OptStrings rest; /* compiler flags after -- */
  bool asserts;
  const char *race, *output;
  long long max;
} SeqOptions;

#define AT(member) .offset = offsetof(SeqOptions, member)

static const Option options[] = {
    {OPT_FLAG, "assert", .section = "What to ask",
     .help = "can an assertion fail? This is asked if nothing else is", AT(asserts)},
    {OPT_STRING, "race", .argument = "NAME",
     .help =
         "can two threads stand before conflicting accesses to NAME? A variable, a member "
         "of one (table[3].next), of an allocation as `heddle model` calls it "
         "(malloc:12.count), or an access as the source writes it (conn->state)",
     AT(race)},
    {OPT_INT, "max", .argument = "N", .minimum = 0, .maximum = 60, .initial = 1,
     .help =
         "how many threads may wait for their start; more of them start at once. The more "
         "may wait, the more schedules there are",
     AT(max)},
    {OPT_FILE, "output", 'o', "FILE", .writes = true, .initial_text = "-",
     .shown_default = "standard output", .help = "write to FILE; - is standard output",
     AT(output)},
    SOURCE_OPTIONS(SeqOptions, source),
    COMMON_OPTIONS(SeqOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle seq prog.c -o seq.c",
     "Write a sequential program that fails where an assertion of prog.c can fail."},
    {"heddle seq --race counter --max 2 prog.c -o seq.c",
     "Write one that fails where two threads can race on counter."},
    {"heddle seq --race 'e->stoppingFlag' --max 0 driver.c",
     "The same for a member of something allocated, with threads that start at once."},
    {0}};

static const OptCommand table = {
    .name = "seq",
    .summary = "write a concurrent program as a sequential one, for other checkers",
    .usage = "INPUT... [-- COMPILER-FLAGS...]",
    .description =
        "Writes one C file without threads that runs a large part of the program's schedules: "
        "threads are calls that may be given up before any step that others notice (KISS, "
        "Qadeer and Wu 2004). If a run of the file reaches its error, the program has that "
        "error; if none does, nothing is proved about other schedules. Choices are "
        "__VERIFIER_nondet_uint, the error is reach_error; both stand in a block at the top. "
        "INPUT is as for `heddle model`.",
    .options = options,
    .examples = examples,
    .operand = "INPUT",
    .operand_files = SOURCE_ENDINGS,
    .operands = offsetof(SeqOptions, source.inputs),
    .at_least = 1,
    .takes_rest = true,
    .rest = offsetof(SeqOptions, rest),
};

static bool translate(const SeqOptions *o, Screen *screen, Outfile *out, Err *err) {
  Program program = {0};
  Str text = {0};
  SeqcOptions request = {.race = o->race, .max = (unsigned)o->max};
  bool ok = cli_load(&o->source, &o->rest, screen, &program, err) &&
            (program.main || err_input(err, o->source.inputs.data[0],
                                       "give all the files of the program, or --entry",
                                       "the program has no function main")) &&
            seqc_write(&program, &request, &text, err);
  if (ok) outfile_write(out, text.data, text.len);
  str_free(&text);
  program_free(&program);
  return ok;
}

static int write_file(const SeqOptions *o) {
  Err err = {0};
  Screen screen;
  cli_screen(&screen, &o->common);
  if (o->race && o->asserts) {
    err_input(&err, NULL, "run heddle once for each",
              "--race and --assert exclude each other");
    return cli_fail(&err);
  }
  Outfile *out = outfile_open(o->output, &err);
  bool ok = out && translate(o, &screen, out, &err);
  if (ok)
    ok = outfile_commit(out, &err);
  else
    outfile_discard(out);
  return ok ? EXIT_HOLDS : cli_fail(&err);
}

static int run(int argc, char **argv) {
  SeqOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = write_file(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_seq = {&table, run};
