/* Reports of `heddle run` and its parts: what was predicted, what showed, and how. */
#ifndef HEDDLE_CLI_RUN_REPORT_H
#define HEDDLE_CLI_RUN_REPORT_H

#include "base/json.h"
#include "base/proc.h"
#include "predict/predict.h"

typedef struct {
  const Trace *trace;
  Places *places;
  const Predictions *predictions;
  const Control *recorded; /* what the runtime answered while recording, or NULL */
  const ProcResult *end;   /* how the recorded program ended, or NULL */
  const char *const *argv; /* the program, NULL-terminated */
  const char *folder;      /* where schedules were written, or NULL */
  bool race, deadlock;     /* asked for */
  const char *property;    /* the user's file, or NULL */
  bool sync_only;          /* accesses were not recorded */
  double seconds;
} RunReport;

/* The name of what is at an address: a variable, a heap block with its origin, … */
void run_add_name(const RunReport *r, uint64_t address, Str *out);
/* "R1", "D2" for the prediction with this index. */
void run_add_id(const RunReport *r, uint32_t index, Str *out);
/* The name of the thread with this number in the schedule. */
const char *run_thread_name(const Prediction *x, uint32_t number);
/* Not of a property whose counterexample has no steps of the run. */
bool run_has_schedule(const Prediction *x);
/* "race" findings that showed, and so on. */
uint32_t run_count(const RunReport *r, PredictState state);
bool run_recorded_deadlock(const RunReport *r);
int run_exit_code(const RunReport *r);

void run_text(const RunReport *r, Str *out);
/* Both of the accesses, or all stuck threads, of what a replay showed. */
void run_text_shown(const RunReport *r, const Control *shown, const Schedule *schedule,
                    Str *out);
void run_json(const RunReport *r, JsonSink *sink, void *user);

#endif
