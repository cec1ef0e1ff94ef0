/* From what the user names to bitcode: C and C++ sources are compiled,
 * compile_commands.json is followed, bitcode is passed on, and binaries made by `heddle
 * cc` give up the bitcode they carry, together with that of the shared libraries they
 * need.
 *
 * Everything is held in memory; no file is written. The order of the units is that of the
 * inputs, whatever the number of jobs. */
#ifndef HEDDLE_FRONT_INPUTS_H
#define HEDDLE_FRONT_INPUTS_H

#include "base/err.h"
#include "base/progress.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *const *paths;
  size_t path_count;
  const char *const *flags; /* for the compiler: -I, -D, ... and those after `--` */
  size_t flag_count;
  unsigned jobs;      /* compiles at one time; 0: one per core */
  double timeout;     /* seconds for one compile; 0: CLANG_TIMEOUT */
  Progress *progress; /* or NULL */
  bool all_functions; /* keep static functions of named sources that nothing uses */
  bool alternatives; /* compile a file in each way that a database knows, not the first */
} InputsRequest;

/* One translation unit. */
typedef struct {
  char *name;   /* its source, or the bitcode file: for messages */
  char *origin; /* the file that the user named, or the library that it needs */
  void *bytes;  /* bitcode, or LLVM's text; a NUL follows the last byte */
  size_t size;
  bool text;        /* .ll */
  bool made;        /* clang made the bitcode just now */
  uint32_t instead; /* not 0: another way to compile unit instead - 1, taken for it if
                       only this one has main */
  /* 0 for what the user named; 1, 2, ... for shared libraries in the order in which the
   * dynamic linker would search them: a definition in a lower rank hides one in a
   * higher. */
  unsigned rank;
} InputUnit;

/* Something about the inputs that the result must say: an assumption. */
typedef struct {
  char *what;
  char *file; /* or NULL */
  int line;   /* or 0 */
} InputNote;

typedef struct {
  VEC(InputUnit) units;
  VEC(InputNote) notes;
  bool repeated; /* a database compiles some file in several ways */
} Inputs;

/* Fills *ret_inputs with at least one unit. On false it is empty and `err` names the
 * first input (in their order) that is at fault. */
bool inputs_prepare(const InputsRequest *request, Inputs *ret_inputs, Err *err);
void inputs_free(Inputs *inputs);

/* Takes over a copy of the strings. */
void inputs_add_note(Inputs *inputs, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
