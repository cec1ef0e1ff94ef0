/* heddle exec: runs the model of a program, not the program.
 *
 * Load, then interpret. What the program writes goes to heddle's own standard output and
 * error, and its exit status becomes heddle's, so that a test can put `heddle exec` where
 * the program stood. A run that does not end by the program's own will ends with one line
 * on standard error; --json says in any case how the run ended. */
#include "cli/cli.h"
#include "cli/load.h"

#include "base/json.h"
#include "model/exec/exec.h"

#include <limits.h>

typedef struct {
  CommonOptions common;
  SourceOptions source;
  OptStrings arguments; /* of the program */
  long long seed, max_steps, memory;
  bool spurious;
  const char *json;
} ExecCommandOptions;

#define AT(member) .offset = offsetof(ExecCommandOptions, member)

static const Option options[] = {
    {OPT_INT, "seed", .section = "How to run", .argument = "N", .minimum = 0,
     .maximum = LLONG_MAX, .initial = 0,
     .help = "choose the order of threads and the nondeterministic values; the same seed "
             "gives the same run",
     AT(seed)},
    {OPT_INT, "max-steps", .argument = "N", .minimum = 0, .maximum = LLONG_MAX,
     .help = "stop after N operations; 0 is no limit", AT(max_steps)},
    {OPT_INT, "memory", .argument = "MIB", .minimum = 1, .maximum = 1 << 20,
     .initial = 4096, .help = "memory that the program may use", AT(memory)},
    {OPT_FLAG, "spurious",
     .help = "let condition waits end without a signal, as POSIX allows", AT(spurious)},
    {OPT_FILE, "json", .writes = true, .argument = "FILE",
     .help = "write how the run ended as JSON", AT(json)},
    SOURCE_OPTIONS(ExecCommandOptions, source),
    COMMON_OPTIONS(ExecCommandOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle exec prog.c", "Run one source."},
    {"heddle exec --seed 7 a.c b.c -I include -- input.txt 10",
     "Run a program of two files with two arguments, in the order of threads of seed 7."},
    {"for s in 1 2 3 4 5; do heddle exec --seed $s prog.c || break; done",
     "Try several orders until one goes wrong."},
    {0}};

static const OptCommand table = {
    .name = "exec",
    .summary = "run the model of a program, deterministically",
    .usage = "INPUT... [-- PROGRAM-ARGUMENTS...]",
    .description =
        "Interprets the model, with byte-exact memory and threads in an order that the "
        "seed determines. INPUT is as for `heddle model`; compiler flags stand among the "
        "options or in --cflags; what follows -- are the arguments of the program.\n"
        "\n"
        "The exit code is that of the program. Otherwise it is 128 plus the signal when "
        "the program aborts, 1 after a failed assertion or a deadlock, and 2 when the "
        "run could not go on: an operation or library function that is not modelled, "
        "undefined behaviour, the step limit, or an assumption of the program that does "
        "not hold.",
    .options = options,
    .examples = examples,
    .operand = "INPUT",
    .operand_files = SOURCE_ENDINGS,
    .operands = offsetof(ExecCommandOptions, source.inputs),
    .at_least = 1,
    .takes_rest = true,
    .rest = offsetof(ExecCommandOptions, arguments),
};

static const char *end_word(ExecEnd end) {
  switch (end) {
  case EXEC_RUNNING: break;
  case EXEC_EXITED: return "exited";
  case EXEC_ABORTED: return "aborted";
  case EXEC_ASSERTION: return "assertion";
  case EXEC_DEADLOCK: return "deadlock";
  case EXEC_ASSUMPTION: return "assumption";
  case EXEC_STOPPED: return "stopped";
  case EXEC_STEP_LIMIT: return "step-limit";
  }
  return "running";
}

static int exit_code(const ExecResult *result) {
  switch (result->end) {
  case EXEC_EXITED: return result->status & 0xff;
  case EXEC_ABORTED: return 128 + result->status;
  case EXEC_ASSERTION:
  case EXEC_DEADLOCK: return EXIT_VIOLATED;
  case EXEC_RUNNING:
  case EXEC_ASSUMPTION:
  case EXEC_STOPPED:
  case EXEC_STEP_LIMIT: break;
  }
  return EXIT_UNDECIDED;
}

static void write_json(const ExecCommandOptions *o, const Program *program,
                       const ExecResult *result, Outfile *out) {
  JsonWriter json;
  json_start(&json, json_to_outfile, out);
  json_open_object(&json);
  json_key_string(&json, "heddle", cli_program.version);
  json_key_string(&json, "command", "exec");
  json_key(&json, "inputs");
  json_open_array(&json);
  for (uint32_t i = 0; i < o->source.inputs.len; i++)
    json_put_string(&json, o->source.inputs.data[i]);
  json_close_array(&json);
  json_key_int(&json, "seed", o->seed);
  json_key_string(&json, "end", end_word(result->end));
  if (result->end == EXEC_EXITED || result->end == EXEC_ABORTED)
    json_key_int(&json, result->end == EXEC_EXITED ? "status" : "signal", result->status);
  json_key_string(&json, "text", result->text);
  json_key_int(&json, "thread", result->thread);
  if (result->edge) {
    const Loc *loc = &program->locs.data[program_edge(program, result->edge)->loc];
    json_key_string(&json, "file", sym_text(program, loc->file));
    json_key_int(&json, "line", loc->line);
    json_key_int(&json, "column", loc->column);
  }
  json_key(&json, "steps");
  json_put_uint(&json, result->steps);
  json_close_object(&json);
  json_finish(&json);
}

/* Runs the program and returns its exit code; the JSON file is complete by then. */
static int interpret(const ExecCommandOptions *o, const Program *program, Outfile *json,
                     Err *err) {
  OptStrings argv = {0};
  vec_push(&argv, o->source.inputs.data[0]);
  for (uint32_t i = 0; i < o->arguments.len; i++) vec_push(&argv, o->arguments.data[i]);
  ExecOptions request = {.seed = (uint64_t)o->seed,
                         .max_steps = (uint64_t)o->max_steps,
                         .memory_limit = (uint64_t)o->memory << 20,
                         .argc = (int)argv.len,
                         .argv = argv.data,
                         .spurious = o->spurious};
  Exec *exec = exec_new(program, &request);
  const ExecResult *result = exec_run(exec);
  if (result->end != EXEC_EXITED && result->end != EXEC_ABORTED && result->text)
    cli_say(result->text);
  int code = exit_code(result);
  if (json) {
    write_json(o, program, result, json);
    if (!outfile_commit(json, err)) code = err_exit_code(err);
  }
  exec_free(exec);
  vec_free(&argv);
  return code;
}

static bool prepare(const ExecCommandOptions *o, Outfile **json, Program *program,
                    Err *err) {
  if (o->json && str_eq(o->json, "-"))
    return err_input(err, NULL, "give the name of a file",
                     "--json: standard output belongs to the program");
  if (o->json && !(*json = outfile_open(o->json, err))) return false;
  Screen screen;
  cli_screen(&screen, &o->common);
  if (!cli_load(&o->source, NULL, &screen, program, err)) return false;
  return program->main ||
         err_input(err, o->source.inputs.data[0], "give all the files of the program",
                   "the program has no function main");
}

static int run(int argc, char **argv) {
  ExecCommandOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code)) {
    Err err = {0};
    Outfile *json = NULL;
    Program program = {0};
    if (prepare(&values, &json, &program, &err))
      code = interpret(&values, &program, json, &err);
    else
      outfile_discard(json);
    if (err.kind != ERR_NONE) code = cli_fail(&err);
    program_free(&program);
  }
  opt_free(&table, &values);
  return code;
}

const Command cmd_exec = {&table, run};
