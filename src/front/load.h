/* From what the user names to a checked program model: the one entrance of the front. */
#ifndef HEDDLE_FRONT_LOAD_H
#define HEDDLE_FRONT_LOAD_H

#include "base/err.h"
#include "base/log.h"
#include "base/progress.h"
#include "model/program.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *const
      *inputs; /* .c .i .bc .ll, compile_commands.json, binaries of heddle cc */
  size_t input_count;
  const char *const *flags; /* for the compiler */
  size_t flag_count;
  const char *const *rules; /* files with more library functions */
  size_t rules_count;
  const char *own_rules; /* the text of still more, which win over all others; or NULL */
  const char
      *entries; /* `f,g*`: functions to start as threads instead of main; or NULL */
  const char *harness; /* a harness file, instead of main; or NULL */
  Str *ret_harness;    /* or NULL: gets the text of the harness, without places */
  double timeout;      /* seconds for the whole load; 0 for none */
  unsigned jobs;       /* compiles at one time; 0: one per core */
  const Log *log;      /* or NULL */
  Progress *progress;  /* or NULL */
} FrontRequest;

/* Compiles, links, translates and validates. The program is released with program_free. */
bool front_load(const FrontRequest *request, Program *ret_program, Err *err);

#endif
