/* The runs of one `heddle run`: each is recorded, predicted from and replayed, and so are the
 * other processes in it. */
#ifndef HEDDLE_CLI_RUN_SESSION_H
#define HEDDLE_CLI_RUN_SESSION_H

#include "cli/run_report.h"
#include "cli/subject.h"

/* The bits of intervals.h, then the one of recording. */
#define REDUCTIONS          "intervals|hybrid|segments"
#define RECORDED_REDUCTIONS REDUCTIONS "|cache"
enum { WITHOUT_CACHE = 8 };

typedef struct {
  CommonOptions common;
  OptStrings words; /* the trace, or the program before -- was found missing */
  OptStrings program;
  const char *property, *events, *emit_csp;
  uint64_t without; /* bits, in the order of REDUCTIONS */
  bool as_recorded;
  long long for_seconds, linger, runs, timeout, orders, states, steps, window, memory;
  ReportChoice reports;
  const char *output, *trace;
  long long found_status;
  const char *log, *collect, *with;
  SiftOptions sift;
  Sift *sifter; /* of these; no option */
} RunOptions;

typedef struct {
  Trace trace;
  Run run;
  Predictions predictions;
  DriveResult recorded;
  RunReport report;
} RunOnce;

typedef struct {
  VEC(RunOnce *) all; /* the runs, each followed by the other processes in it */
  StrMap earlier;     /* what they have shown */
  double over;        /* when the last one should be: see run_budget.h */
} Session;

/* What to look for. False after filling `err`. */
bool run_choose(const RunOptions *o, RunReport *r, Err *err);
/* Records all runs and judges them, as many as there were until something went wrong; `path` is
 * for the trace. False after filling `err`. */
bool run_several(const RunOptions *o, Subject *subject, const char *path, Session *s,
                 Screen *screen, Err *err);
/* Predicts from a trace alone; nothing is replayed. */
bool run_judge_trace(const RunOptions *o, const char *path, RunOnce *one, Screen *screen,
                     Err *err);
void run_once_free(RunOnce *one);
void run_session_free(Session *session);

#endif
