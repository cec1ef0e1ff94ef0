/* Schedules: which thread takes which step, in which order, and where two of them are
 * held for a race. A schedule is a small text file:
 *
 *   heddle schedule 1
 *   program prog 9a0364b9e99bb480
 *   property race
 *   thread main
 *   thread main.1
 *   hold main 1 0x5555555551f0 0x555555558040 4 write   # x, prog.c:12 in main
 *   hold main.1 3 0x555555555240 0x555555558040 4 write
 *   step main create main.1   # prog.c:11
 *   step main.1 start
 *   step main.1 lock 0x5555555580a0
 *
 * `thread` names who takes part: main, and by the way of creation `main.2`, the second
 * child of main. `hold` says after how many steps of the thread it is held, before which
 * place in the code, memory, size and kind of access (`any` memory when the address is
 * not the same in every run; place 0 is any). `hold anyone` holds whoever comes there, and
 * has no steps with it (rt_meet.c). A `step` may say what it acts on: a thread,
 * or the address of an object, and for a wait also that of the mutex. What follows # is
 * for the reader.
 *
 * A schedule that violates a property of the user says instead of the holds
 *
 *   property user             (user-deadlock: it is stuck after the last step)
 *   rule 0 /home/me/file.csp  the assertion, counted from 0
 *   event open #              the user's events, as in TraceEventKind
 *
 * and the steps carry their events as the property sees them: `step main event open.0.7`.
 */
#ifndef HEDDLE_PREDICT_SCHEDULE_H
#define HEDDLE_PREDICT_SCHEDULE_H

#include "base/outfile.h"
#include "predict/races.h"
#include "predict/solve.h"
#include "trace/places.h"

typedef struct {
  const char *name;
  uint32_t parent, index;
} ScheduleThread;

/* What a step acts on, as far as it is known. */
typedef struct {
  uint64_t address, mutex; /* 0: unknown or none */
  uint32_t thread;         /* of create and join; or CONTROL_NO_THREAD */
} ScheduleObject;

typedef struct {
  Arena *arena;
  const char *property;    /* "race", "deadlock", "user" or "user-deadlock" */
  const char *rule;        /* the file of the property, or NULL */
  uint32_t rule_index;     /* of its assertion */
  VEC(const char *) kinds; /* with a rule: the user's events */
  VEC(const char *) names; /* with a rule: beside each step its event in CSP_M */
  const char *program;     /* its file name without folders */
  uint64_t program_hash;
  VEC(ScheduleThread) threads;
  VEC(ControlStep) steps;
  VEC(ScheduleObject) objects; /* one for each step */
  VEC(uint64_t) places;        /* beside each step the place in the code, when known */
  ControlHold hold[2];
  uint32_t hold_count;
  bool anyone; /* whoever comes is held, and there are no steps; `thread` of the two, once
                  it showed, is who came */
} Schedule;

void schedule_init(Schedule *schedule);
void schedule_free(Schedule *schedule);

/* From an order of steps; `pair` is NULL unless it leads to a race. */
void schedule_from_order(Schedule *schedule, const Run *run, const StepOrder *order,
                         const RacePair *pair);
/* For a race between whoever comes to the two places. */
void schedule_from_pair(Schedule *schedule, const Run *run, const RacePair *pair);
/* The same file again? Fills program and program_hash; false after filling `err`. */
bool schedule_set_program(Schedule *schedule, const char *path, Err *err);

/* With `places`, source lines stand behind the steps, unless there are very many. */
void schedule_write(const Schedule *schedule, Places *places, Str *out);
/* Fills an initialised schedule. False after filling `err`. */
bool schedule_read(Schedule *schedule, const char *path, const char *text, size_t length,
                   Err *err);

#endif
