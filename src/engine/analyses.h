/* The analyses that engines share, made when they are first asked for, and what they say about
 * the program as a whole (verdict/caveat.h). */
#ifndef HEDDLE_ENGINE_ANALYSES_H
#define HEDDLE_ENGINE_ANALYSES_H

#include "analysis/flow.h"
#include "base/log.h"
#include "base/progress.h"
#include "verdict/caveat.h"
#include "verdict/result.h"

typedef struct {
  const Program *program;
  Arena *arena; /* for texts; lives as long as the result */
  bool unlock_any;
  bool strict;              /* nothing is assumed of code that nobody described */
  const volatile int *stop; /* or NULL */
  const Log *log;           /* or NULL */
  Progress *progress;       /* or NULL */
  bool tried_pointsto, tried_flow;
  PointsTo *pointsto;
  Flow *flow;
  Caveats caveats;
  VEC(Undescribed) undescribed; /* code that may run and that nobody described */
} Analyses;

/* NULL: the time was over before it was known. */
const PointsTo *analyses_pointsto(Analyses *analyses);
const Flow *analyses_flow(Analyses *analyses);
void analyses_free(Analyses *analyses);

/* The function may run at all; true where nothing is known. */
bool analyses_may_run(Analyses *analyses, FuncId function);

#endif
