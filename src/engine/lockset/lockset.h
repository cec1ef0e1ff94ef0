/* The lock set engine: every shared location of the program, guarded or questioned.
 *
 * In: the flow of the program (analysis/flow.h). Out: a location for every shared byte range
 * with the reason why it is safe, and a warning for every pair of accesses that nothing keeps
 * apart. Its `safe` needs no evidence but the guards and orders it names; its warnings are
 * candidates for the engines behind it. */
#ifndef HEDDLE_ENGINE_LOCKSET_LOCKSET_H
#define HEDDLE_ENGINE_LOCKSET_LOCKSET_H

#include "analysis/flow.h"
#include "verdict/result.h"

/* A pair that nothing excludes, for the engines that look for evidence. */
typedef struct {
  uint32_t a, b;     /* indices in Flow.accesses */
  uint32_t finding;  /* index in CheckResult.findings, before result_complete */
  uint32_t location; /* index in CheckResult.locations */
} Candidate;

typedef VEC(Candidate) CandidateVec;

/* Adds locations and warnings to `result` and the pairs to `ret_candidates`; sets the verdict
 * of the race property to safe if there is no candidate and nothing stayed open. */
void lockset_check_races(const Flow *flow, CheckResult *result,
                         CandidateVec *ret_candidates);

/* Where a lock (or a barrier) is initialised, destroyed or overwritten while another thread may
 * use it, after which it keeps nobody out: nothing that relies on it is proved. 0: nowhere. */
EdgeId lockset_renewed(const Flow *flow);
/* The same for what is written as data, not initialised, destroyed or freed. */
EdgeId lockset_overwritten(const Flow *flow);

/* Adds a warning for every cycle in the order of locks that nothing excludes and for every
 * second taking of a lock; sets the verdict of the deadlock property to safe if there is none
 * and every other wait is excluded too. */
void lockset_check_deadlocks(const Flow *flow, CheckResult *result);

/* "worker", or "main": what a kind of thread is called in reports. */
const char *lockset_thread_name(const Flow *flow, uint32_t thread, Arena *arena);
/* The source name of a lock, and of a place inside an object. */
const char *lockset_lock_name(const Flow *flow, const FlowLock *lock, Arena *arena);
const char *lockset_place_name(const Program *program, ObjectId object, uint32_t offset,
                               Arena *arena);

#endif
