/* What only a recorded run knows of a finding, beside what every finding has (result.h): the
 * values in memory, the stacks, who created the threads, what was replayed and what dropped.
 * A check leaves all of it out. Texts live where those of the finding do. */
#ifndef HEDDLE_VERDICT_RECORDED_H
#define HEDDLE_VERDICT_RECORDED_H

#include "verdict/place.h"

/* Of one access, or of one thread that waits. */
typedef struct {
  uint64_t size; /* bytes; 0: it is no access, or was not seen */
  bool has_value;
  uint64_t value;    /* what the memory holds at that moment */
  const char *owner; /* who holds what is waited for, or whose end is; or NULL */
  const char *event; /* the user's name of it, or NULL */
  bool has_stack;
  const SourcePlace *stack; /* the calls that lead there, the innermost first */
  uint32_t stack_count;
  const char *creator; /* the thread that created this one, or NULL */
  SourcePlace created;
} RecordedAccess;

/* Of one finding. */
typedef struct {
  const char *way; /* who found the order */
  uint32_t replays;
  bool confirmed;           /* of a race: by the happens-before detector */
  const char *const *tests; /* of many runs: the commands that show it */
  uint32_t test_count;
  const char
      *process; /* the words of the process, or NULL: of the first one of the run */
} RecordedFinding;

typedef struct {
  const char *name;
  int64_t value;
} RecordedNumber;

/* Of the whole run. */
typedef struct {
  const struct Finding *dropped; /* what was predicted and then refuted */
  uint32_t dropped_count;
  const char *ended; /* how the program ended, or NULL */
  bool exited;       /* with `status` */
  int status;
  bool deadlocked; /* while it was recorded */
  bool accesses;   /* were recorded */
  const RecordedNumber *numbers;
  uint32_t number_count;
} RecordedRun;

#endif
