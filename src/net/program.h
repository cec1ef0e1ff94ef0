/* The question about a .sml program, with an answer that needs no knowledge of nets: are two
 * threads ever in accesses to one variable, at least one of which writes?
 *
 * Tokens are threads. The run of the net that refutes a program is told as what its threads do: a
 * token that moves along the control flow keeps its number. */
#ifndef HEDDLE_NET_PROGRAM_H
#define HEDDLE_NET_PROGRAM_H

#include "base/arena.h"
#include "base/err.h"
#include "base/outfile.h"
#include "net/limits.h"

typedef struct {
  const char *thread; /* "main", "worker#2" */
  const char *verb;   /* "read", "acquire", "create", … */
  const char *object; /* or "" */
  uint32_t line;      /* of the file */
} ProgramStep;

/* All texts are in the arena. */
typedef struct {
  bool safe, unsafe;  /* neither: there is a reason */
  const char *reason; /* NULL if there is an answer */
  const char *const *variables;
  uint32_t variable_count;
  /* unsafe: */
  const char *variable;
  ProgramStep accesses[2]; /* the last steps of these threads; a write comes first */
  const ProgramStep *steps;
  uint32_t step_count;
  uint64_t threads; /* that the run needs */
  bool least;       /* no run needs fewer */
} ProgramAnswer;

/* Every answer was checked by code that shares nothing with the search. With a `certificate` the
 * evidence of the answer, if any, is written there. False: the file cannot be read, or the check has found a defect
 * of heddle. */
bool net_check_program(const char *file, const NetLimits *limits, Outfile *certificate,
                       Arena *arena, ProgramAnswer *ret, Err *err);

#endif
