/* Option tables: one const table per command, from which the parser, the range checks,
 * `--help`, the manual page and the shell completions fall out.
 *
 * A command describes its options as rows of an array that ends with an empty row, and
 * says with offsetof where each value belongs in a struct of its own:
 *
 *   typedef struct { bool dot; long long timeout; OptStrings inputs; } ModelOptions;
 *   static const Option options[] = {
 *     {OPT_FLAG, "dot", .help = "draw the model", .offset = offsetof(ModelOptions, dot)},
 *     {OPT_INT, "timeout", .argument = "S", .minimum = 1, .maximum = 86400, .initial =
 * 60, .help = "stop after S seconds", .offset = offsetof(ModelOptions, timeout)}, {0}};
 *
 * There are no global values. Texts stored into the struct point into argv; only the
 * vectors of repeated values are owned by it and released by opt_free. Nothing here
 * prints: texts are appended to a Str, errors are ERR_INPUT. */
#ifndef HEDDLE_BASE_OPT_H
#define HEDDLE_BASE_OPT_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

typedef VEC(const char *) OptStrings;

typedef enum {
  OPT_END,    /* the empty row that ends a table */
  OPT_FLAG,   /* bool */
  OPT_STOP,   /* bool; parsing ends here, nothing else is checked (--help, --version) */
  OPT_COUNT,  /* int: one more for each time it is given */
  OPT_INT,    /* long long within [minimum, maximum] */
  OPT_ENUM,   /* int: the place of the word in `words` */
  OPT_LIST,   /* uint64_t: one bit per word of a comma-separated list */
  OPT_FILE,   /* const char * */
  OPT_STRING, /* const char * */
  OPT_FILES,  /* OptStrings: may be given several times */
  OPT_CC_EITHER, /* OptStrings: a compiler flag with its argument joined or following (-I)
                  */
  OPT_CC_JOINED, /* OptStrings: a compiler flag with a joined argument (-std=c11) */
  OPT_CC_PREFIX, /* OptStrings: a compiler flag that may go on, or not (-O, -O2) */
  OPT_CC_ALONE,  /* OptStrings: a compiler flag without an argument (-pthread) */
} OptKind;

typedef struct {
  OptKind kind;
  const char *name;     /* "timeout" for --timeout; for compiler flags as typed: "-I" */
  char letter;          /* 'o' for -o, or 0 */
  const char *argument; /* what the value is called in --help: "FILE", "S" */
  const char *words;    /* ENUM and LIST: "auto|always|never" */
  long long minimum, maximum; /* INT */
  long long initial;          /* INT, ENUM (place), LIST (bits) */
  const char *initial_text;   /* FILE and STRING: the initial value, or NULL */
  const char *shown_default;  /* what --help says of the default instead of the value */
  const char
      *section; /* heading in --help; NULL: that of the row before, at first "Options" */
  const char *help;
  size_t offset; /* of the value in the struct of the command */
  bool writes;   /* FILE: the command makes this file; it reads all others */
} Option;

/* A row of two texts, in lists that end with an empty row. */
typedef struct {
  const char *key, *text;
} OptPair;

typedef struct {
  const char *name;        /* "model"; NULL for the program before any command */
  const char *summary;     /* one line for the list of commands, no full stop */
  const char *usage;       /* what follows "[options]": "INPUT... [-- COMPILER FLAGS]" */
  const char *description; /* paragraphs with an empty line between them */
  const Option *options; /* NULL: every word belongs to the operands, nothing is parsed */
  const OptPair *examples; /* command line and what it does */
  const char *operand;     /* "INPUT": what an operand is called; NULL: there are none */
  const char *operand_files;  /* for completion: "c i bc ll", endings of fitting files */
  size_t operands;            /* offset of an OptStrings */
  unsigned at_least, at_most; /* number of operands; at_most 0: no limit */
  bool stop_at_operand;       /* the first operand ends the options; it and the rest are
                                 operands */
  bool takes_rest; /* words after `--` are kept apart from the operands, in `rest` */
  size_t rest;     /* offset of an OptStrings */
} OptCommand;

/* The whole program, for the manual and the completions. */
typedef struct {
  const char *name, *version, *summary;
  const OptCommand *self;            /* the options before the command */
  const OptCommand *const *commands; /* NULL-terminated */
  const OptPair *exit_codes;         /* number and meaning */
  const OptPair *environment;        /* variable and meaning */
} OptProgram;

/* Sets every value to its default, then reads `argc` words (without the program's and the
 * command's own name) into `values`, a zeroed struct. On false `err` names the option,
 * what is wrong with it and the remedy; call opt_free in either case. `program` is only
 * used for texts ("heddle"). */
bool opt_parse(const char *program, const OptCommand *command, int argc, char **argv,
               void *values, Err *err);

/* Releases the vectors inside `values`. */
void opt_free(const OptCommand *command, void *values);

/* The candidate most like `word`, when one is like enough to be what was meant, or NULL.
 * `candidates` is NULL-terminated. */
const char *opt_nearest(const char *word, const char *const *candidates);

/* The text of `--help` for one command, lines no longer than `width` (at most 90 is
 * used). With `bold`, headings carry terminal escapes. */
void opt_add_help(const OptProgram *program, const OptCommand *command, int width,
                  bool bold, Str *out);

/* heddle(1) in roff. */
void opt_add_man(const OptProgram *program, Str *out);

/* The completion script for "bash", "zsh" or "fish". */
void opt_add_bash(const OptProgram *program, Str *out);
void opt_add_zsh(const OptProgram *program, Str *out);
void opt_add_fish(const OptProgram *program, Str *out);

/* For the makers of those texts: does the option take a value, is it a compiler flag, and
 * the words of an ENUM or LIST one after another (`*cursor` starts as option->words;
 * false at the end). */
bool opt_takes_value(const Option *option);
bool opt_is_compiler_flag(const Option *option);
bool opt_next_word(const char **cursor, const char **ret_word, size_t *ret_length);

#endif
