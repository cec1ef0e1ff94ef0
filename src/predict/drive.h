/* Running a program under the runtime: to record it, and to replay a schedule. */
#ifndef HEDDLE_PREDICT_DRIVE_H
#define HEDDLE_PREDICT_DRIVE_H

#include "base/proc.h"
#include "base/vec.h"
#include "predict/schedule.h"
#include "trace/trace.h"

typedef struct {
  const char *const *argv; /* NULL-terminated; argv[0] is a path or sought in PATH */
  const char *preload; /* the library to preload, or NULL: the program has the runtime */
  double timeout;      /* seconds, or 0 */
  bool silent;         /* its output goes nowhere */
  int input;           /* descriptor to read from the beginning of, or -1 */
  int stream;          /* descriptor to read as it is, instead; or 0: none */
  const char *with;    /* what a shell runs beside it, its clients for example; or NULL */
  const char *debugger;     /* "gdb": start it in there; or NULL */
  uint32_t order;           /* which racing access goes first */
  uint32_t patience;        /* milliseconds for one racing thread to wait; 0: for ever */
  uint32_t recorded;        /* replaying: milliseconds that the recorded run took */
  uint32_t variation, seed; /* of a recorded run: CONTROL_NEW_FIRST, … */
  uint32_t linger;    /* milliseconds that its end waits for threads that could go on */
  bool follows;       /* recording: also the processes that it starts */
  uint32_t process;   /* replaying: which of them is meant, 0 for the first */
  bool leads;         /* the first signal that asks heddle to stop is the program's */
  bool stop;          /* end it as soon as the error showed */
  const char *folder; /* it runs there, cut off from the rest: ProcRequest.isolated */
} Drive;

/* Another process of a recorded run, which had threads. */
typedef struct {
  uint32_t number;  /* in the order in which they began, from 1 */
  Control *control; /* with the name of its trace; mem_free */
  bool goes_on;     /* it has not ended yet */
} DriveProcess;

typedef struct {
  ProcResult end;
  Control *control; /* what the runtime answered; mem_free */
  VEC(DriveProcess) others;
} DriveResult;

void drive_result_free(DriveResult *result);

/* Whether the program was built with the runtime inside. False with `err` untouched when
 * not; the error is set when the file cannot be read, or has the runtime of another heddle. */
bool drive_has_runtime(const char *path, Err *err);

/* The file of the program that argv[0] names (mem_free), or NULL after filling `err`. */
char *drive_find(const char *name, Err *err);

/* What the steps of a schedule with a rule turned out to be; control->at of them were
 * done. NULL for other schedules. */
const ControlSeen *drive_seen(const Control *control);

/* The files of a program that was replayed, as a trace without events: for names and lines. */
void drive_modules(const Control *control, Trace *ret_trace);

bool drive_record(const Drive *drive, const char *trace, DriveResult *ret, Err *err);
/* With a control file that is complete: a guided replay. */
bool drive_guided(const Drive *drive, const Control *control, DriveResult *ret, Err *err);
bool drive_replay(const Drive *drive, const Schedule *schedule, DriveResult *ret,
                  Err *err);

#endif
