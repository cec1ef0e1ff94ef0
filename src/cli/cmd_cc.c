/* heddle cc and heddle c++: compilers for CC and CXX.
 *
 * Every word after the command belongs to the compiler, `--version` too, so that configure
 * scripts find the compiler they expect. Only `--help` alone is the page of heddle itself;
 * the compiler's is behind `--help-clang`. */
#include "cli/cli.h"

#include "front/cc.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const OptPair cc_examples[] = {
    {"make CC=\"heddle cc\" && heddle check ./prog && heddle run -- ./prog",
     "Build a project for both sides of heddle."},
    {"heddle cc --events api.events prog.c -o prog",
     "With events of your own for `heddle run --property FILE.csp`."},
    {"make CC=\"heddle cc --no-instrument\"",
     "Keep the bitcode, and change nothing else."},
    {"heddle cc -O2 -c prog.c -o prog.o && heddle cc prog.o -o prog",
     "Compile and link by hand."},
    {"ln -s \"$(command -v heddle)\" heddle-cc && CC=$PWD/heddle-cc cmake .",
     "For build systems that want the name of one program: called as heddle-cc (or "
     "heddle-c++), heddle is that compiler."},
    {0}};

static const OptPair cxx_examples[] = {
    {"make CC=\"heddle cc\" CXX=\"heddle c++\"", "Build a project with parts in C++."},
    {0}};

#define DESCRIPTION                                                                      \
  "Behaves as clang-19 for every invocation, and beside that keeps the bitcode of each " \
  "source in its object file, so that the other commands of heddle accept the objects, " \
  "libraries and programs that come out. The programs are also instrumented, so that "   \
  "`heddle run` can record and replay them; run by themselves they do not notice. All "  \
  "arguments go to the compiler but the first ones: with --no-instrument nothing is "    \
  "instrumented, with --instrument what cannot be is an error, and with --events FILE "  \
  "the programs emit the events that the file orders. `#include <heddle.h>` is found "   \
  "without a word (annotations for own synchronisation).\n"                              \
  "\n"                                                                                   \
  "--help alone shows this page, --help-clang that of clang."

static const OptCommand cc_table = {
    .name = "cc",
    .summary = "compile C as clang does, and keep the bitcode for heddle",
    .usage = "COMPILER-ARGUMENTS...",
    .description = DESCRIPTION,
    .examples = cc_examples,
};

static const OptCommand cxx_table = {
    .name = "c++",
    .summary = "the same for C++",
    .usage = "COMPILER-ARGUMENTS...",
    .description = DESCRIPTION,
    .examples = cxx_examples,
};

static int show_page(const OptCommand *table) {
  Str text = {0};
  opt_add_help(&cli_program, table, cli_width(STDOUT_FILENO),
               cli_color(COLOR_AUTO, STDOUT_FILENO), &text);
  int code = cli_print(str_text(&text));
  str_free(&text);
  return code;
}

static int run(int argc, char **argv, bool cxx) {
  Err err = {0};
  Str warnings = {0};
  if (argc == 1 && str_eq(argv[0], "--help"))
    return show_page(cxx ? &cxx_table : &cc_table);
  /* as the compiler knows it */
  if (argc == 1 && str_eq(argv[0], "--help-clang")) argv[0][strlen("--help")] = 0;
  int status = front_cc(argc, argv, cxx, &warnings, &err);
  for (const char *line = str_text(&warnings); *line;) {
    int length = (int)strcspn(line, "\n");
    fprintf(stderr, "heddle: %.*s\n", length, line);
    line += length + (line[length] == '\n');
  }
  str_free(&warnings);
  if (err.kind != ERR_NONE) cli_fail(&err);
  return status;
}

static int run_cc(int argc, char **argv) {
  return run(argc, argv, false);
}
static int run_cxx(int argc, char **argv) {
  return run(argc, argv, true);
}

const Command cmd_cc = {&cc_table, run_cc};
const Command cmd_cxx = {&cxx_table, run_cxx};
