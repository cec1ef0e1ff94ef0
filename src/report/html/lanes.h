/* What a schedule says beside its steps: what each thread holds at each of them, and which
 * step of another thread had to come before it. Internal to src/report/html. */
#ifndef HEDDLE_REPORT_HTML_LANES_H
#define HEDDLE_REPORT_HTML_LANES_H

#include "base/vec.h"
#include "verdict/result.h"

/* What a step is, as far as the drawing cares. */
typedef enum {
  STEP_OTHER,
  STEP_READ,
  STEP_WRITE,
  STEP_CREATE,
  STEP_START,
  STEP_JOIN,
  STEP_END,
  STEP_LOCK,
  STEP_UNLOCK,
  STEP_WAIT,
  STEP_WAKE,
  STEP_GIVE, /* signal, post, the first run of once, entering a barrier, … */
  STEP_TAKE, /* what can be waited for by that */
  STEP_BLOCKED,
  STEP_FAIL, /* an assertion */
} StepKind;

const char *step_kind_word(StepKind kind); /* "create", for class names */

/* An arrow: this step comes after `from` (its index), because of `why`. */
typedef struct {
  uint32_t from;
  const char *why; /* "create", "join", "unlock", "signal", … */
} StepArrow;

enum { STEP_ARROWS = 2 };

typedef struct {
  StepKind kind;
  uint32_t thread; /* index into Lanes.threads */
  StepArrow arrows[STEP_ARROWS];
  uint32_t arrow_count;
  uint32_t first_held, held_count; /* in Lanes.held: locks after the step */
  uint32_t mark; /* 1, 2, …: it is that access of the finding (from 1), or 0 */
} LaneStep;

/* A lock of the schedule. */
typedef struct {
  const char *name;
  uint64_t id;
} LaneLock;

typedef struct {
  LaneStep *steps; /* one for each of the finding's */
  uint32_t count;
  VEC(const char *) threads; /* in order of their first step */
  VEC(LaneLock) locks;
  VEC(uint32_t) held; /* indices into locks */
} Lanes;

void lanes_init(Lanes *lanes, const Finding *finding);
void lanes_free(Lanes *lanes);

#endif
