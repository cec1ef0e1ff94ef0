/* Reports of `heddle run` and its parts: what was predicted, what showed, and how. */
#ifndef HEDDLE_CLI_RUN_REPORT_H
#define HEDDLE_CLI_RUN_REPORT_H

#include "base/proc.h"
#include "cli/cli.h"
#include "cli/report_files.h"
#include "cli/sift.h"
#include "predict/predict.h"
#include "trace/places.h"
#include "verdict/result.h"

typedef struct {
  const Trace *trace;
  Places *places;
  const Predictions *predictions;
  const Control *recorded; /* what the runtime answered while recording, or NULL */
  const ProcResult *end;   /* how the recorded program ended, or NULL */
  const char *const *argv; /* the program, NULL-terminated */
  uint32_t before[PROPERTY_COUNT]; /* findings of earlier runs, for ids */
  uint32_t number, count;          /* which of several runs it is, from 1 */
  uint32_t process;                /* which process of the run, from 1; 0: the first */
  bool goes_on;                    /* that process has not ended yet */
  const char *folder;              /* where schedules were written, or NULL */
  uint32_t left_out[SIFT_COUNT];   /* findings that are not told, by reason */
  bool asked[PROPERTY_COUNT];
  const char *rules; /* the user's file of properties, or NULL */
  bool sync_only;    /* accesses were not recorded */
  double seconds;
  int width; /* of the text */
  bool color;
  bool verbose; /* also what was dropped */
} RunReport;

/* The name of what is at an address: a variable, a heap block with its origin, … */
void run_add_name(const RunReport *r, uint64_t address, Str *out);
/* "R1", "D2" for the prediction with this index. */
void run_add_id(const RunReport *r, uint32_t index, Str *out);
/* Not of a property whose counterexample has no steps of the run, nor of a race that was
 * only observed. */
bool run_has_schedule(const Prediction *x);
/* The name of the thread with this number in the schedule. */
const char *run_schedule_thread(const Schedule *s, uint32_t number);
/* "write", "atomic read", … */
const char *run_access_word(const ControlPlace *place);
/* The same of one that no replay saw: "write", "free", … */
const char *run_predicted_word(const RaceAccess *access);
/* Where the two accesses of a race begin to overlap. */
uint64_t run_raced_address(const Prediction *x);
/* Where the thread of this name was created, or NULL. */
const TraceEvent *run_creation(const Trace *trace, const char *thread);
/* A schedule that has the names of all recorded threads, by their numbers; schedule_free. */
void run_recorded_threads(const RunReport *r, Schedule *ret);
/* Why a prediction is what it is, in a sentence. */
const char *run_why(const Prediction *x);
/* The same of a replay that ended with CONTROL_WAITING. */
const char *run_why_waiting(const Control *shown);
/* Why a prediction was dropped: "the program took another way: …". */
void run_add_dropped(const RunReport *r, const Prediction *x, Str *out);
/* "race" findings that showed, and so on. */
uint32_t run_count(const RunReport *r, PredictState state);
bool run_recorded_deadlock(const RunReport *r);
int run_exit_code(const RunReport *r);

/* Leaves each pair of source places once, those about one object together, and none that an
 * earlier run has shown; adds what this one shows to `earlier`. Needs r->trace and r->places
 * only. */
void run_arrange(const RunReport *r, StrMap *earlier, Predictions *predictions);
/* Drops what is not to be told, and counts it. */
void run_sift(RunReport *r, Sift *sift, Predictions *predictions);
/* How many ids of a property were given out up to this run. */
uint32_t run_count_ids(const RunReport *r, Property property);
/* Threads that were created and never ran. */
uint32_t run_never_ran(const RunReport *r);

/* One report of several runs (at least one), and the schedules of each; `command` and `code`
 * are for the origin. The text goes to `ret_text`. False after filling `err`. */
bool run_write(const RunReport *const *all, uint32_t count, const char *command, int code,
               Outputs *outputs, Str *ret_text, Err *err);
int run_all_exit_code(const RunReport *const *all, uint32_t count);

void run_text(const RunReport *r, Str *out);
void run_text_limits(const RunReport *r, Str *out); /* its end */
/* Both of the accesses, or all stuck threads, of what a replay showed. */
void run_text_shown(const RunReport *r, const Control *shown, const Schedule *schedule,
                    Str *out);
/* What the happens-before detector says of a race. */
void run_text_confirmed(const RunReport *r, const Schedule *schedule,
                        const Confirmation *confirmation, Str *out);
/* Everything in words and places, for the reports of `heddle check`; the texts of places
 * live in r->places. Release it with result_free. */
void run_tell(const RunReport *r, CheckResult *ret_result);

#endif
