/* clang as heddle's front end: where it is, and one compile to bitcode in a child
 * process.
 *
 * The bitcode comes through a file in memory, so there is no temporary file to lose. The
 * child has a time and a memory limit; its crash, its hang and its absence are errors
 * like a mistake in the source is. */
#ifndef HEDDLE_FRONT_CLANG_H
#define HEDDLE_FRONT_CLANG_H

#include "base/err.h"
#include "base/proc.h"
#include "front/ccargs.h"

#include <stdbool.h>
#include <stddef.h>

enum {
  CLANG_TIMEOUT = 120,  /* seconds for one translation unit */
  CLANG_MEMORY_GIB = 8, /* address space for one translation unit */
};

/* The program to run for C (or C++): $HEDDLE_CLANG ($HEDDLE_CLANGXX), else clang-19
 * (clang++-19) in PATH, else where LLVM 19's own packages put it. mem_free the result.
 * NULL when there is none, with the error saying how to install it. Compilers that this
 * process starts from now on find heddle.h. */
char *clang_find(bool cxx, Err *err);

typedef enum {
  CLANG_MISSING, /* no compiler */
  CLANG_OTHER,   /* gcc, or something that behaves like it */
  CLANG_FOREIGN, /* clang, of a version whose bitcode is another one */
  CLANG_ITSELF,  /* as clang_find would have found it */
} ClangKind;

/* What a compiler is, by the macros that it defines. */
ClangKind clang_kind(const char *program);

/* One compile to bitcode. */
typedef struct {
  const char *program;   /* as from clang_find */
  CcWords words;         /* as from ccargs_words_for_model */
  const char *directory; /* where to run it, or NULL */
  const char *source;    /* for messages */
  int input;             /* descriptor of its standard input, or -1 */
  double timeout;        /* seconds; 0: CLANG_TIMEOUT */
} ClangJob;

/* A running compile. */
typedef struct {
  Proc *proc;
  int bitcode_fd, words_fd;
} ClangRun;

void clang_start(const ClangJob *job, ClangRun *ret_run);

/* Waits for it and releases the run. On success *ret_bytes is fresh memory (mem_free). On
 * failure `err` is the first error that clang reported, with its place, or what else went
 * wrong; *ret_said (which may be NULL) gets all that clang wrote. */
bool clang_finish(const ClangJob *job, ClangRun *run, void **ret_bytes, size_t *ret_size,
                  Str *ret_said, Err *err);
/* Ends it, whatever it is doing. */
void clang_cancel(ClangRun *run);

/* Fills `err` from what clang wrote: the first error line with its place. Relative names
 * are relative to `directory` (or NULL). False always, as err_set; when there is no error
 * line, the message says how clang ended. */
bool clang_first_error(const char *said, const char *source, const char *directory,
                       Err *err);

/* True for a unit of LLVM bitcode, by its first bytes. */
bool clang_is_bitcode(const void *bytes, size_t size);

#endif
