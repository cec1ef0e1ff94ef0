/* The program that was checked, built from the same sources so that it can be replayed:
 * instrumented, without optimisation, with heddle's runtime and with definitions of the
 * functions that verification tasks only declare. */
#ifndef HEDDLE_FRONT_REBUILD_H
#define HEDDLE_FRONT_REBUILD_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *const *inputs; /* as the user named them */
  size_t input_count;
  const char *const *flags; /* for the compiler */
  size_t flag_count;
  /* Functions that the program defines; what the library table says of some of them
   * whatever their body does is put in their place. */
  const char *const *defined;
  size_t defined_count;
  const char *output;
  double timeout; /* seconds */
} RebuildRequest;

/* Whether all inputs are sources. Nothing else can be built again. */
bool rebuild_suits(const char *const *inputs, size_t count);

/* Makes request->output. False after filling `err`. */
bool rebuild(const RebuildRequest *request, Err *err);

#endif
