/* What the commands of heddle share: the rows of options that several have, printing,
 * colour, and the way in and out of a command.
 *
 * A command is one cmd_*.c with its option table, a struct for its values and a `run`.
 * `run` gets the words after the command's name and returns the exit code. Only this
 * folder prints and exits. */
#ifndef HEDDLE_CLI_CLI_H
#define HEDDLE_CLI_CLI_H

#include "base/err.h"
#include "base/log.h"
#include "base/opt.h"
#include "base/outfile.h"
#include "base/progress.h"

#include <stdbool.h>

/* The table of exit codes that users and scripts rely on. */
enum {
  EXIT_HOLDS = 0,
  EXIT_VIOLATED = 1,
  EXIT_UNDECIDED = 2,
  EXIT_BAD_INPUT = 3,
  EXIT_DEFECT = 4,
};

typedef struct {
  const OptCommand *table;
  int (*run)(int argc, char **argv);
} Command;

extern const Command cmd_check, cmd_csp, cmd_model, cmd_exec, cmd_net, cmd_cc, cmd_cxx,
    cmd_doctor, cmd_seq, cmd_run, cmd_record, cmd_predict, cmd_replay, cmd_trace,
    cmd_verify, cmd_report, cmd_svcomp, cmd_lsp;

/* The program itself with every command, for help, manual and completions. */
extern const OptProgram cli_program;

/* ---- options that every command has ----------------------------------------------- */

typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;

typedef struct {
  bool help, quiet;
  int verbose;
  int color; /* ColorChoice */
} CommonOptions;

/* Rows for the struct T that holds a CommonOptions as `member`. */
/* clang-format off */
#define COMMON_OPTIONS(T, member)                                                        \
  {OPT_FLAG, "quiet", 'q', .section = "Common options",                                  \
   .help = "print results and errors only", .offset = offsetof(T, member.quiet)},        \
  {OPT_COUNT, "verbose", 'v', .help = "say what is being done; twice: how",              \
   .offset = offsetof(T, member.verbose)},                                               \
  {OPT_ENUM, "color", .argument = "WHEN", .words = "auto|always|never",                  \
   .help = "colour in the output", .offset = offsetof(T, member.color)},                 \
  {OPT_STOP, "help", 'h', .help = "show this help and exit",                             \
   .offset = offsetof(T, member.help)}
/* clang-format on */

/* ---- options of every command that reads C sources -------------------------------- */

typedef struct {
  OptStrings inputs;
  OptStrings flags;      /* -I, -D, … in the order given */
  const char *cflags;    /* one text of further flags, or NULL */
  OptStrings rules;      /* files of library rules */
  long long timeout;     /* seconds */
  long long jobs;        /* 0: all cores */
  const char *entries;   /* --entry */
  const char *harness;   /* --harness */
  Str *ret_harness;      /* or NULL: gets the C text of the harness; no option */
  const char *own_rules; /* or NULL: rules that the command itself adds; no option */
} SourceOptions;

/* clang-format off */
#define SOURCE_FLAG(T, member, kind, name, argument_, text)                              \
  {kind, name, .argument = argument_, .help = text, .offset = offsetof(T, member.flags)}

#define SOURCE_OPTIONS(T, member)                                                        \
  SOURCE_OPTIONS_WITHIN(T, member, 300,                                                  \
                        "give up when the program is not loaded after S seconds")

/* The same with another time limit. */
#define SOURCE_OPTIONS_WITHIN(T, member, seconds, timeout_help)                          \
  {OPT_FILES, "rules", .argument = "FILE", .section = "Source options",                  \
   .help = "read more library functions and own synchronisation from FILE; may be "      \
           "given several times",                                                        \
   .offset = offsetof(T, member.rules)},                                                 \
  {OPT_STRING, "entry", .argument = "LIST",                                              \
   .help = "start the functions of LIST (f,g*) as threads with any argument, instead "   \
           "of main; * starts any number of them",                                       \
   .offset = offsetof(T, member.entries)},                                               \
  {OPT_FILE, "harness", .argument = "FILE",                                              \
   .help = "begin with the calls that FILE describes instead of main: who calls what, "  \
           "with which objects, and what never overlaps",                                \
   .offset = offsetof(T, member.harness)},                                               \
  {OPT_INT, "timeout", .argument = "S", .minimum = 1, .maximum = 86400,                  \
   .initial = seconds, .help = timeout_help,                                             \
   .offset = offsetof(T, member.timeout)},                                               \
  {OPT_INT, "jobs", 'j', "N", .minimum = 1, .maximum = 1024,                             \
   .shown_default = "all cores", .help = "compile N files at once",                      \
   .offset = offsetof(T, member.jobs)},                                                  \
  {OPT_STRING, "cflags", .argument = "'FLAGS'",                                          \
   .help = "hand any other flags to the compiler",                                       \
   .offset = offsetof(T, member.cflags)},                                                \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-I", "DIR", "search DIR for headers"),          \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-D", "NAME[=VALUE]", "define a macro"),         \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-U", "NAME", "undefine a macro"),               \
  SOURCE_FLAG(T, member, OPT_CC_JOINED, "-std=", "STANDARD", "language standard"),       \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-include", " FILE",                             \
              "include FILE before each source"),                                        \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-isystem", " DIR",                              \
              "search DIR for system headers"),                                          \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-isysroot", " DIR",                             \
              "take DIR for the root of system headers"),                                \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-iquote", " DIR",                               \
              "search DIR for headers in quotes"),                                       \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-idirafter", " DIR",                            \
              "search DIR for headers after all others"),                                \
  SOURCE_FLAG(T, member, OPT_CC_JOINED, "-f", "...",                                     \
              "ways of the language and of code, as -funsigned-char"),                   \
  SOURCE_FLAG(T, member, OPT_CC_JOINED, "-m", "...", "the machine, as -m32"),            \
  SOURCE_FLAG(T, member, OPT_CC_PREFIX, "-O", "...",                                     \
              "accepted as a compiler does; the model is that of the source"),           \
  SOURCE_FLAG(T, member, OPT_CC_PREFIX, "-g", "...",                                     \
              "accepted as a compiler does; the model always has its places"),           \
  SOURCE_FLAG(T, member, OPT_CC_JOINED, "-W", "...",                                     \
              "warnings, accepted as a compiler does"),                                  \
  SOURCE_FLAG(T, member, OPT_CC_ALONE, "-w", NULL,                                       \
              "no warnings, accepted as a compiler does"),                               \
  SOURCE_FLAG(T, member, OPT_CC_PREFIX, "-pedantic", "...",                              \
              "accepted as a compiler does"),                                            \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-L", "DIR",                                     \
              "search DIR for libraries when an error is replayed"),                     \
  SOURCE_FLAG(T, member, OPT_CC_EITHER, "-l", "NAME",                                    \
              "link the library NAME when an error is replayed"),                        \
  SOURCE_FLAG(T, member, OPT_CC_ALONE, "-pthread", NULL,                                 \
              "accepted as a compiler does")
/* clang-format on */

/* The inputs that a SourceOptions can name, for the completions. */
#define SOURCE_ENDINGS "c i bc ll json *"

/* ---- the way in and out ----------------------------------------------------------- */

/* Parses the words of a command. Returns true when the command should run; otherwise help
 * or an error was printed and *ret_exit is the exit code. In both cases the caller
 * releases `values` with opt_free. */
bool cli_parse(const OptCommand *table, int argc, char **argv, void *values,
               const CommonOptions *common, int *ret_exit);

/* Prints `heddle: ...` on standard error, frees the error and returns its exit code. */
int cli_fail(Err *err);

/* Prints `heddle: TEXT` on standard error. */
void cli_say(const char *text);

/* Prints on standard error, as it is. When that is closed or full, nobody can be told. */
void cli_tell(const char *text);

/* Prints on standard output. Returns the exit code: 0, or that of the write error, which
 * is printed. */
int cli_print(const char *text);

/* A log and a progress line as the common options ask, both on standard error. They refer
 * to each other so that a message never lands in the middle of the live line. */
typedef struct {
  Log log;
  Progress progress;
  bool color; /* of standard error */
} Screen;

void cli_screen(Screen *screen, const CommonOptions *common);

/* Whether colour goes to the descriptor: on terminals, unless NO_COLOR is set. */
bool cli_color(ColorChoice choice, int fd);

/* Columns of the terminal that the descriptor is, or 80. */
int cli_width(int fd);

/* Reads a whole file; false after filling `err`. */
bool cli_read_file(const char *path, Str *out, Err *err);

#endif
