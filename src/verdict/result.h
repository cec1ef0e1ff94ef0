/* What a check or a recorded run found: one verdict for each property, the findings, and
 * for every shared location why it is safe or that it is not.
 *
 * The engines and the predictor fill it, the reports read it. Everything in it lives in the
 * result's arena, except for the texts of places (place.h). The zero value of every
 * enumeration claims nothing: UNKNOWN, no evidence, undecided. */
#ifndef HEDDLE_VERDICT_RESULT_H
#define HEDDLE_VERDICT_RESULT_H

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/ids.h"
#include "verdict/place.h"
#include "verdict/property.h"
#include "verdict/recorded.h"
#include "verdict/route.h"

#include <stdbool.h>

typedef enum { VERDICT_UNKNOWN, VERDICT_SAFE, VERDICT_UNSAFE } Verdict;

/* What the checker of certificates (proof/proof.h) said to the proof by lock sets. */
typedef enum {
  CERTIFICATE_NONE, /* there is no such proof, or no time to check it */
  CERTIFICATE_CHECKED,
  CERTIFICATE_REJECTED,
} CertificateState;

typedef enum {
  EVIDENCE_NONE,
  EVIDENCE_FEASIBLE, /* a schedule that the model's interpreter follows to the error */
  EVIDENCE_OBSERVED, /* it happened in a recorded run of the real program */
  EVIDENCE_REPLAYED, /* the error showed in the real program, which was led there */
} Evidence;

typedef enum {
  REASON_UNDECIDED,
  REASON_RACE,
  REASON_GUARDED,
  REASON_ORDERED,
  REASON_SINGLE_THREADED,
  REASON_READ_ONLY,
  REASON_ATOMIC,
  REASON_THREAD_LOCAL,
  REASON_PROVED,
  REASON_ACCEPTED, /* the user said that it is meant so */
  REASON_COUNT
} Reason;

const char *verdict_text(Verdict verdict);            /* "safe", "unsafe", "unknown" */
const char *certificate_text(CertificateState state); /* "none", "checked", "rejected" */
const char *evidence_text(Evidence evidence);         /* "replayed", "feasible", "none" */
const char *reason_text(Reason reason); /* as in the interface: "guarded", … */

/* One of the two accesses of a race, or one of the waits of a deadlock. */
typedef struct {
  const char *thread; /* "main", "worker#1" */
  const char *kind;   /* "read", "write", "atomic read", "free", "lock", "wait", … */
  SourcePlace place;
  const char *object;       /* deadlock: what it waits for, or NULL */
  const char *const *locks; /* held at that moment */
  uint32_t lock_count;
  const RecordedAccess *recorded; /* or NULL */
} FoundAccess;

/* A step of a schedule worth telling: creations, synchronisation, and the accesses. */
typedef struct {
  const char *thread;
  const char *op;
  const char *object; /* or NULL */
  SourcePlace place;
  uint64_t id;       /* tells objects of one name apart within the finding; 0: unknown */
  const char *mutex; /* of a wait for a condition: what it gives back or takes, or NULL */
  uint64_t mutex_id; /* as `id` */
} FoundStep;

typedef struct Finding {
  const char *id; /* "R1", "D2", "A1": set when the result is completed */
  Property property;
  Verdict verdict; /* UNSAFE or UNKNOWN (a warning), never SAFE */
  Evidence evidence;
  const char *engine;
  const char *name; /* of the location or of the locks, as the source calls it */
  SourcePlace declared;
  const FoundAccess *accesses;
  uint32_t access_count;
  const FoundStep *steps; /* the schedule, may be empty */
  uint32_t step_count;
  const char *why;
  const char *fix; /* what would mend it, or NULL */
  uint32_t rank;   /* of warnings: lower is more likely to be an error */
  bool unordered;  /* race: nothing orders the accesses; else both are next */
  bool accepted;   /* by a rules file or a comment: told in numbers only */
  const RecordedFinding *recorded; /* or NULL */
  const Route
      *route; /* the way to it in the real program, or NULL: none, or not wanted */
} Finding;

typedef struct {
  const char *name;
  SourcePlace declared;
  ObjectId object;
  Verdict verdict;
  Reason reason;
  const char *engine;
  const char *const *guards;
  uint32_t guard_count;
  bool unchecked;     /* safe, but nothing other than its finder has checked it */
  const char *detail; /* one sentence for --explain, or NULL */
  const FoundAccess *accesses; /* all of them, if the result wants_accesses */
  uint32_t access_count;
} Location;

/* Code that may run and of which nothing is known but its name: neither body nor rule. */
typedef struct {
  const char *name; /* "log_it", "inline assembly \"…\"" */
  const char
      *rule; /* a line for a rules file that says what is assumed; NULL: none can */
  SourcePlace place; /* of its first call */
  bool assembly;     /* no function, but instructions between those of the compiler */
} Undescribed;

/* Something that the verdicts take for granted beside the assumptions of the program. */
typedef struct {
  const char *what;
  SourcePlace place; /* the first */
  uint32_t count;    /* how many places share it */
} Assumed;

/* What runs of the program came to whose targets were the pairs that stayed open. */
typedef struct {
  uint32_t runs;
  uint32_t pairs;     /* that were open */
  uint32_t met;       /* … and showed */
  uint32_t unreached; /* of which no run came to one of the two places */
} ConfirmRuns;

typedef struct {
  Arena *arena;           /* owns all texts and arrays below */
  const Program *program; /* NULL: it comes from a recorded run */
  bool asked[PROPERTY_COUNT];
  bool
      wants_accesses; /* set before the check: engines list the accesses of each location */
  Map accepted; /* set before the check: edges whose accesses the user accepts as they are */
  Verdict verdicts[PROPERTY_COUNT];
  bool conditional
      [PROPERTY_COUNT]; /* `safe`, if all of `undescribed` does what is assumed */
  const char *unknown_because[PROPERTY_COUNT]; /* or NULL */
  CertificateState certificate;                /* of what lock sets say of races */
  bool unchecked
      [PROPERTY_COUNT]; /* safe, but partly by proofs that only their finder knows */
  bool contradiction;   /* something was proved and refuted: a defect of heddle */
  VEC(Finding) findings;
  VEC(Location) locations;
  VEC(Undescribed) undescribed;
  VEC(Assumed) assumed;
  uint32_t accepted_count;
  const RecordedNumber
      *left_out; /* findings that the user does not want to hear of (again), by why */
  uint32_t left_out_count;
  ConfirmRuns confirm;         /* 0 runs: nobody asked for them */
  const RecordedRun *recorded; /* or NULL */
  double seconds;
  double peak_mib;
} CheckResult;

void result_init(CheckResult *result, const Program *program);
void result_free(CheckResult *result);

/* Lists an assumption (of static storage, or of the result's arena) at a place; the same text
 * again only counts up. */
void result_assume(CheckResult *result, const char *what, SourcePlace place);

/* Sorts the findings (errors first, then by rank and place) and numbers them; sorts the
 * locations by place and name. Call once, at the end. */
void result_complete(CheckResult *result);

/* The verdict over all properties asked for, and the exit code that goes with it. */
Verdict result_verdict(const CheckResult *result);
int result_exit_code(const CheckResult *result);
/* The location is a global variable of the program, or in one. */
bool result_is_global(const CheckResult *result, const Location *location);
/* Some property is only safe if `undescribed` does what is assumed of it. */
bool result_conditional(const CheckResult *result);
/* Adds the condition: "if 3 functions do what is assumed of them". */
void result_add_condition(const CheckResult *result, Str *out);

#endif
