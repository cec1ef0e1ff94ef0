/* The CSP refinement checker: scripts in CSP_M, their assertions and verdicts.
 *
 *   Err err = {0};
 *   CspScriptHandle *script = csp_open("file.csp", text, length, &options, &err);
 *   for (uint32_t i = 0; i < csp_assert_count(script); i++) {
 *     CspResult result;
 *     if (csp_check(script, i, &result, &err)) …;
 *     csp_result_free(&result);
 *   }
 *   csp_close(script);
 *
 * Nothing prints. Texts inside results are owned by the result. One script belongs to one
 * thread at a time. */
#ifndef HEDDLE_CSP_CSP_H
#define HEDDLE_CSP_CSP_H

#include "base/err.h"
#include "base/progress.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero means the default of each. */
typedef struct CspOptions {
  uint64_t steps;          /* evaluation steps for one state of a process; 500 million */
  uint64_t component;      /* states of one component; 4 million */
  uint64_t set_size;       /* elements of one set; 4 million */
  uint64_t memory;         /* bytes; 8 GiB */
  uint64_t states;         /* states of one check; no limit */
  uint32_t jobs;           /* cores; 1 */
  bool reduce;             /* partial order reduction in every trace and failures check */
  Progress *progress;      /* or NULL */
  const atomic_bool *stop; /* set from outside to give up soon; or NULL */
} CspOptions;

typedef struct CspScriptHandle CspScriptHandle;

/* Reads, resolves and type checks. NULL after filling `err`. */
CspScriptHandle *csp_open(const char *file, const char *text, size_t length,
                          const CspOptions *options, Err *err);
void csp_close(CspScriptHandle *script); /* accepts NULL */

uint32_t csp_assert_count(const CspScriptHandle *script);
/* The assertion as written, and its line. */
const char *csp_assert_text(const CspScriptHandle *script, uint32_t index);
uint32_t csp_assert_line(const CspScriptHandle *script, uint32_t index);
const char *csp_assert_file(const CspScriptHandle *script, uint32_t index);

/* The `print` declarations of the script, evaluated. */
uint32_t csp_print_count(const CspScriptHandle *script);
/* NULL after filling `err`; released with mem_free. */
char *csp_print_value(CspScriptHandle *script, uint32_t index, Err *err);

typedef enum { CSP_UNDECIDED, CSP_HOLDS, CSP_FAILS } CspVerdict;

/* One step of a counterexample. */
typedef struct CspResultStep {
  char *event;  /* what happened; "tau" only when the step has no event at all */
  bool hidden;  /* the event is internal in the process that was checked */
  char *origin; /* its name before renaming */
} CspResultStep;

/* What one component did. */
typedef struct CspBehaviour {
  char *name;
  char **events;
  uint32_t count;
  char **offers; /* what it is ready for afterwards */
  uint32_t offer_count;
} CspBehaviour;

typedef struct CspResult {
  CspVerdict verdict;
  bool negated;   /* the assertion says "not": a failing check is what makes it hold */
  char *why;      /* one sentence: the flaw, or why nothing was decided; or NULL */
  bool refusal;   /* the flaw is what it refuses after the trace, not an event of it */
  bool has_trace; /* the fields below are filled */
  CspResultStep *steps;
  uint32_t step_count;
  uint32_t loop; /* steps from here on repeat for ever; step_count when none do */
  char **offers; /* events that the process offers at the end */
  uint32_t offer_count;
  char **wanted; /* events one of which the specification demands, if it does */
  uint32_t wanted_count;
  CspBehaviour *components;
  uint32_t component_count;
  uint64_t states, transitions, memory;
  uint32_t depth;
  double seconds;        /* of the whole check */
  double search_seconds; /* of the search, without making the machine; 0: no search */
} CspResult;

/* Decides one assertion. False after filling `err` (a fault of the script); limits give
 * the verdict CSP_UNDECIDED. */
bool csp_check(CspScriptHandle *script, uint32_t index, CspResult *ret, Err *err);
void csp_result_free(CspResult *result);

#endif
