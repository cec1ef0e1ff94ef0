/* The checks that are built in, as assertions of CSP_M about the model of a run (Figure 5.8 and
 * appendix A.2 of the paper): what `heddle predict --as-recorded` looks for, for `heddle csp`
 * and other checkers to decide. */
#ifndef HEDDLE_PREDICT_CHECKS_H
#define HEDDLE_PREDICT_CHECKS_H

#include "predict/script.h"

/* The channel of the accesses of a kind. */
const char *script_memory_channel(MemoryKind kind);

/* Channels of memory and the process that watches for two accesses next to each other. */
void checks_add_race(const Intervals *memory, Str *out);
/* One assertion for each interval that the model has events of; `name` is its process, `steps` the
 * set of its other events. */
void checks_add_race_asserts(const RunModel *model, const ScriptShape *shape,
                             const char *name, const char *steps, Str *out);
/* A process that is always ready, for the assertions about deadlocks. */
void checks_add_live(Str *out);
void checks_add_deadlock_assert(const char *name, Str *out);

#endif
