/* heddle: the way in.
 *
 * In: the command line. Out: an exit code. Everything before the first word that is no
 * option belongs to heddle itself (--version, --man, …); that word is the command and
 * gets the rest. This file also owns what concerns the whole process: what happens when
 * memory runs out, when a signal asks to stop and when the reader of a pipe goes away. In
 * each case the temporary files are removed and the user gets at most one line. */
#include "cli/cli.h"

#include "base/limit.h"
#include "base/mem.h"
#include "base/temp.h"
#include "front/cc.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const Command *const commands[] = {
    &cmd_check,  &cmd_csp,   &cmd_model,  &cmd_exec,    &cmd_net,
    &cmd_seq,    &cmd_run,   &cmd_record, &cmd_predict, &cmd_replay,
    &cmd_report, &cmd_trace, &cmd_verify, &cmd_svcomp,  &cmd_lsp,
    &cmd_cc,     &cmd_cxx,   &cmd_doctor, NULL};

/* ---- the program's own table ------------------------------------------------------ */

typedef enum { SHELL_NONE = -1, SHELL_BASH, SHELL_ZSH, SHELL_FISH } Shell;

typedef struct {
  CommonOptions common;
  bool version, man;
  int shell; /* Shell */
  OptStrings words;
} MainOptions;

static const Option main_options[] = {
    {OPT_STOP, "version", 'V', .help = "print the version and exit",
     .offset = offsetof(MainOptions, version)},
    {OPT_STOP, "man", .help = "print the manual page heddle(1) and exit",
     .offset = offsetof(MainOptions, man)},
    {OPT_ENUM, "completion", .argument = "SHELL", .words = "bash|zsh|fish",
     .initial = SHELL_NONE, .shown_default = "none",
     .help = "print the completion script for a shell and exit",
     .offset = offsetof(MainOptions, shell)},
    {OPT_ENUM, "color", .argument = "WHEN", .words = "auto|always|never",
     .help = "colour in the output", .offset = offsetof(MainOptions, common.color)},
    {OPT_STOP, "help", 'h', .help = "show this help and exit",
     .offset = offsetof(MainOptions, common.help)},
    {0}};

static const OptPair main_examples[] = {
    {"heddle check prog.c",
     "Find races, deadlocks and failing assertions, or prove that there are none."},
    {"heddle model prog.c -I include",
     "Show the program model of one source: its objects, threads and operations."},
    {"heddle exec --seed 7 prog.c -- input.txt",
     "Run the model itself, with a fixed order of threads."},
    {"make CC=\"heddle cc\" && heddle model --stats ./prog",
     "Prepare a whole project with its own build system, then count what is in it."},
    {"heddle cc prog.c -o prog && heddle run -- ./prog",
     "Record one run, and find and replay the races and deadlocks of other orders."},
    {"heddle doctor", "See what is installed and how to get what is missing."},
    {0}};

static const OptCommand main_table = {
    .usage = "COMMAND [ARGUMENTS]",
    .description =
        "heddle checks C programs that use POSIX or C11 threads. It reads sources, "
        "bitcode, a compile_commands.json or a program built with `heddle cc`, makes one "
        "model of the whole program and works on that.\n"
        "\n"
        "`heddle COMMAND --help` explains one command.",
    .options = main_options,
    .examples = main_examples,
    .operand = "COMMAND",
    .operands = offsetof(MainOptions, words),
    .stop_at_operand = true,
};

static const OptPair exit_codes[] = {
    {"0", "all is well: every property holds, the program ended, nothing is missing"},
    {"1", "at least one property is violated, with evidence"},
    {"2", "neither: something stayed unknown, or something is missing (doctor)"},
    {"3", "bad usage or bad input: one line on standard error says what and where"},
    {"4", "a defect or limit of heddle itself (out of memory, internal error)"},
    {0}};

static const OptPair environment[] = {
    {"NO_COLOR", "When set to anything, no colour unless --color=always."},
    {"HEDDLE_CLANG", "The clang 19 to run, instead of clang-19 in PATH."},
    {"HEDDLE_CLANGXX", "The same for C++."},
    {"HEDDLE_INSTRUMENT",
     "heddle cc: 0 as --no-instrument, anything else as --instrument."},
    {"HEDDLE_EVENTS", "heddle cc: as --events FILE, with instrumentation."},
    {"HEDDLE_CC",
     "heddle cc: the compiler that instruments, such as gcc, instead of clang."},
    {"HEDDLE_CXX", "The same for C++."},
    {"TMPDIR", "Where temporary files go, instead of /tmp."},
    {0}};

static const OptCommand *tables[sizeof commands / sizeof *commands];

const OptProgram cli_program = {
    .name = "heddle",
    .version = HEDDLE_VERSION,
    .summary = "examine multithreaded C programs through one model",
    .self = &main_table,
    .commands = tables,
    .exit_codes = exit_codes,
    .environment = environment,
};

/* ---- the process ------------------------------------------------------------------ */

static _Noreturn void on_exhaustion(size_t wanted) {
  char line[120];
  temp_remove_all();
  int length =
      snprintf(line, sizeof line,
               "heddle: out of memory (%zu more bytes wanted); free some memory or "
               "give heddle less to do at once\n",
               wanted);
  if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0) _exit(EXIT_DEFECT);
  _exit(EXIT_DEFECT);
}

/* Cleans up and then dies of the very signal, so that the caller sees what happened (a
 * shell shows 128 plus its number). */
static void on_signal(int signal_number) {
  temp_remove_all();
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* A handler that does nothing, unlike SIG_IGN, is not inherited by the programs heddle
 * runs; inside heddle a closed pipe, and a file that may not grow further, become ordinary
 * write errors. */
static void on_failed_write(int signal_number) {
  (void)signal_number;
}

static void handle(int signal_number, void (*handler)(int)) {
  struct sigaction old, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (sigaction(signal_number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
    sigaction(signal_number, &action, NULL);
}

#ifndef NDEBUG
static void stop_injecting(void) {
  mem_fail_at(0);
}

/* Test builds can ask for the n-th allocation to fail: of whichever process gets there
 * first, or with "main:n" of this one and not of its forked children. */
static void inject_failure(void) {
  const char *text = getenv("HEDDLE_TEST_FAIL_ALLOC");
  bool only_main = text && str_starts(text, "main:");
  long long n;
  if (!text || !str_to_long(text + (only_main ? strlen("main:") : 0), &n) || n <= 0)
    return;
  if (only_main) pthread_atfork(NULL, NULL, stop_injecting);
  mem_fail_at((unsigned long)n);
}
#endif

static void prepare_process(void) {
  mem_on_exhaustion(on_exhaustion);
  handle(SIGINT, on_signal);
  handle(SIGTERM, on_signal);
  handle(SIGHUP, on_signal);
  handle(SIGPIPE, on_failed_write);
  handle(SIGXFSZ, on_failed_write);
  limit_memory(limit_machine_bytes() / 4 * 3, NULL);
#ifndef NDEBUG
  inject_failure();
#endif
}

static void collect_tables(void) {
  for (size_t i = 0; commands[i]; i++) tables[i] = commands[i]->table;
}

/* ---- running ---------------------------------------------------------------------- */

static int unknown_command(const char *word) {
  const char *names[sizeof commands / sizeof *commands] = {0};
  for (size_t i = 0; commands[i]; i++) names[i] = tables[i]->name;
  const char *meant = opt_nearest(word, names);
  char *remedy = meant ? str_printf("did you mean `heddle %s`?", meant)
                       : str_dup("`heddle --help` lists the commands");
  Err err = {0};
  err_input(&err, NULL, remedy, "unknown command '%s'", word);
  mem_free(remedy);
  return cli_fail(&err);
}

static int run_command(const OptStrings *words) {
  for (size_t i = 0; commands[i]; i++)
    if (str_eq(tables[i]->name, words->data[0]))
      return commands[i]->run((int)words->len - 1, (char **)words->data + 1);
  return unknown_command(words->data[0]);
}

/* Texts made from the tables: the manual and the completions. */
static int print_generated(void (*add)(const OptProgram *, Str *)) {
  Str text = {0};
  add(&cli_program, &text);
  int code = cli_print(str_text(&text));
  str_free(&text);
  return code;
}

static int run(const MainOptions *options) {
  static void (*const completions[])(const OptProgram *,
                                     Str *) = {[SHELL_BASH] = opt_add_bash,
                                               [SHELL_ZSH] = opt_add_zsh,
                                               [SHELL_FISH] = opt_add_fish};
  if (options->version) return cli_print("heddle " HEDDLE_VERSION "\n");
  if (options->man) return print_generated(opt_add_man);
  if (options->shell != SHELL_NONE) return print_generated(completions[options->shell]);
  if (options->words.len > 0) return run_command(&options->words);
  Err err = {0};
  err_input(&err, NULL, "`heddle --help` lists the commands", "no command given");
  return cli_fail(&err);
}

static int run_words(int argc, char **argv) {
  /* Build systems that take only the name of a program find it as heddle-cc. */
  char alias = argc > 0 ? front_cc_alias(argv[0]) : 0;
  if (alias) return (alias == '+' ? &cmd_cxx : &cmd_cc)->run(argc - 1, argv + 1);
  MainOptions options = {0};
  int code;
  if (cli_parse(&main_table, argc - 1, argv + 1, &options, &options.common, &code))
    code = run(&options);
  opt_free(&main_table, &options);
  return code;
}

/* ---- the stack -------------------------------------------------------------------- */

typedef struct {
  int argc;
  char **argv;
  int code;
} Words;

static void *run_in_thread(void *data) {
  Words *words = data;
  words->code = run_words(words->argc, words->argv);
  return NULL;
}

/* Where the shell allows a small stack only (ulimit -s), one is taken from the heap instead:
 * readers of deeply nested input, and the buffers of some functions, need more. False: the
 * stack that is there will do, or no other can be had. */
static bool run_on_own_stack(Words *words) {
  enum { STACK = 8 << 20 };
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= STACK) return false;
  limit.rlim_cur = limit.rlim_max >= STACK ? STACK : limit.rlim_max;
  if (limit.rlim_cur >= STACK && setrlimit(RLIMIT_STACK, &limit) == 0) return false;
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  bool started = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
                 pthread_create(&thread, &attributes, run_in_thread, words) == 0;
  pthread_attr_destroy(&attributes);
  if (started) pthread_join(thread, NULL);
  return started;
}

int main(int argc, char **argv) {
  prepare_process();
  collect_tables();
  Words words = {.argc = argc, .argv = argv};
  return run_on_own_stack(&words) ? words.code : run_words(argc, argv);
}
