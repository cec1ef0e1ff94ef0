/* The words of a compiler's command line, understood as clang's driver understands them.
 *
 * Response files are expanded, each option is put together with the words that belong to
 * it, and what is left are the inputs, each with its language. From that follows how far
 * the invocation goes (only preprocessing, an object, a linked file) and which words the
 * second compile, the one that makes bitcode for the model, must leave out.
 *
 * A CcArgs owns its strings. The compiler itself is not among the words. */
#ifndef HEDDLE_FRONT_CCARGS_H
#define HEDDLE_FRONT_CCARGS_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef VEC(const char *) CcWords;

typedef enum {
  CC_LANG_LINK,   /* an object, an archive, a library: for the linker */
  CC_LANG_SOURCE, /* C, C++, Objective-C, preprocessed or not */
  CC_LANG_IR,     /* LLVM's own, text or bitcode */
  CC_LANG_ASM,
  CC_LANG_HEADER, /* compiles to a precompiled header, not to an object */
  CC_LANG_OTHER,  /* CUDA, OpenCL, Fortran, ... */
} CcLanguage;

typedef enum {
  CC_STOP,    /* no object comes out of it: -E, -S, --version, -print-*, ... */
  CC_COMPILE, /* -c */
  CC_LINK,
} CcMode;

/* What an option means to heddle, as bits; most options mean nothing. */
typedef enum {
  CC_FX_STOP = 1 << 0,     /* no object is made */
  CC_FX_COMPILE = 1 << 1,  /* -c */
  CC_FX_DROP = 1 << 2,     /* not for the model's compile */
  CC_FX_LTO = 1 << 3,      /* only makes sense with link-time optimisation */
  CC_FX_OUTPUT = 1 << 4,   /* the value names the output */
  CC_FX_LANGUAGE = 1 << 5, /* the value is a language for the inputs after it */
  CC_FX_LIBDIR = 1 << 6,   /* the value is a directory with libraries */
  CC_FX_WORKDIR = 1 << 7,  /* the value is the directory of relative paths */
  CC_FX_FILE_MAP = 1 << 8, /* -ffile-prefix-map=: for the model only macros are mapped */
  CC_FX_PASS = 1 << 9,     /* the value is a word for the preprocessor or cc1 */
  CC_FX_PASS_LIST = 1 << 10, /* -Wp,: a comma-separated list of such words */
  CC_FX_LINK_LIST = 1 << 11, /* -Wl,: a comma-separated list of words for the linker */
  CC_FX_SANITIZE = 1 << 12,  /* -fsanitize=: a list, parts of which may need LTO */
  CC_FX_PLAIN = 1 << 13,     /* only a compile in one step, without instrumentation for
                                threads, does what it asks for */
} CcEffect;

typedef enum { CC_OPTION, CC_INPUT, CC_END_OF_OPTIONS } CcArgKind;

/* One option with the words that belong to it, or one input, or `--`. */
typedef struct {
  CcArgKind kind;
  uint32_t first, count; /* into CcArgs.words */
  uint32_t effects;      /* of an option: CcEffect bits */
  const char *value;     /* of an option with an effect: what it names, else NULL */
  CcLanguage language;   /* of an input */
} CcArg;

typedef struct {
  Arena *arena;
  CcWords words; /* with response files expanded */
  VEC(CcArg) args;
  CcMode mode;
  bool lto;           /* some option has CC_FX_LTO */
  bool expanded;      /* the words differ from those given: there was a response file */
  const char *output; /* value of the last -o, or NULL */
  const char *working_dir; /* value of the last -working-directory, or NULL */
} CcArgs;

/* Understands `count` words. Relative names of response files are looked up in
 * `directory` (NULL: the current one). An unreadable response file stays a word, as with
 * clang. Returns false (with an otherwise usable result) when response files nest too
 * deep or grow beyond any reason; clang refuses these too. */
bool ccargs_parse(const char *const *words, size_t count, const char *directory,
                  CcArgs *ret_args);
void ccargs_free(CcArgs *args);

/* The language of a file by its name alone, as with an empty command line. */
CcLanguage ccargs_language_of_name(const char *path);
/* True for names that clang takes for C++ (or Objective-C++). */
bool ccargs_name_is_cxx(const char *path);

/* The words for compiling one input (a member of args->args) to bitcode on standard
 * output, without optimisation and with full debug information. Strings live in
 * args->arena. */
void ccargs_words_for_model(const CcArgs *args, const CcArg *input, CcWords *out);

/* The words without the other inputs, for the log of compile commands. */
void ccargs_words_for_one(const CcArgs *args, const CcArg *input, CcWords *out);

/* All words but those that ask for link-time optimisation. */
void ccargs_words_without_lto(const CcArgs *args, CcWords *out);

/* The object that -c makes of an input when there is no -o: its base name with ".o". The
 * string lives in args->arena. */
const char *ccargs_object_name(const CcArgs *args, const CcArg *input);

/* The value of an input: its path. */
const char *ccargs_input_path(const CcArgs *args, const CcArg *input);

/* Splits text into words at white space, with quotes and backslashes, and appends copies
 * from the arena. With `shell` a backslash between single quotes is itself, as in a
 * shell; without, it escapes there too, as in response files. */
void ccargs_split(const char *text, size_t length, bool shell, Arena *arena,
                  CcWords *out);

/* ---- the tables (ccargs_table.c) ------------------------------------------------- */

/* How many following words belong to `word`, 0 for most. */
unsigned ccargs_table_separate(const char *word);
/* The effects of an option and, through ret_joined, where a joined value would start. */
uint32_t ccargs_table_effects(const char *word, const char **ret_joined);
/* For words passed to the preprocessor or to cc1: true when the model's compile leaves it
 * out, together with *ret_following words after it. */
bool ccargs_table_passed_drop(const char *word, unsigned *ret_following);
/* For words passed to the linker: true when it is about link-time optimisation. */
bool ccargs_table_linker_lto(const char *word);
CcLanguage ccargs_table_extension(const char *extension);
bool ccargs_table_extension_cxx(const char *extension);
/* The language of `-x NAME`; "none" gives false: by extension again. */
bool ccargs_table_x(const char *name, CcLanguage *ret_language);

#endif
