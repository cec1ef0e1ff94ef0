/* An engine: something that answers obligations. One `const Engine` in its folder, one line in
 * registry.c.
 *
 * In: a context, which is all that an engine may use: the program, analyses that are made when
 * they are first asked for, the obligations, an arena, its share of the time, a stop flag, the
 * log and the progress line. Out: claims and witnesses, handed to the ladder through the context.
 * The ladder (ladder.h) has them checked and writes the answers; an engine writes nothing, and
 * what it says about its own claims counts for nothing. */
#ifndef HEDDLE_ENGINE_ENGINE_H
#define HEDDLE_ENGINE_ENGINE_H

#include "base/log.h"
#include "base/outfile.h"
#include "base/progress.h"
#include "engine/analyses.h"
#include "engine/guide.h"
#include "engine/hunt/hunt.h"
#include "verdict/claim.h"

typedef struct {
  bool unlock_any; /* threads may release locks that others hold: no error, but common */
  bool no_reduction;      /* explore all interleavings, without partial-order reduction */
  bool balanced;          /* kiss: only the schedules of its paper, */
  uint32_t pending;       /* … with so many threads that wait to be started */
  uint32_t rounds;        /* kiss: at most so many; 0: any number */
  bool all_schedules;     /* kiss: all of them at once, and nothing else */
  const char *predicates; /* circ: to begin with, as given.h has them; or NULL */
  bool single_steps;      /* circ: every step is a block, as in its paper */
  bool stories;           /* circ: tell what values mean to threads */
  Str *drawings;    /* or NULL: gets the contexts of circ's proofs, as Graphviz graphs */
  uint32_t threads; /* explore no more at once from one creating point; 0: all */
  bool
      checked_only; /* what no checker accepts stays open, for engines whose proofs are checked */
  Outfile *certificate; /* or NULL: for the proof of a net */
  bool *ret_certified;  /* or NULL: whether something was written there */
  Str *
      evidence; /* or NULL: gets the certificates that were accepted, each behind a line with its bytes */
} EngineOptions;

typedef struct Engine Engine;
typedef struct Ladder Ladder;

typedef struct {
  const Program *program;
  const EngineOptions *options;
  Analyses *analyses;
  const Obligations *obligations;
  const Map *accepted;      /* edges whose accesses the user accepts as they are */
  Arena *arena;             /* for what claims point to; lives as long as the result */
  double deadline;          /* of its share, by clock_now */
  uint32_t round;           /* 0 the first time; later with what time is left */
  const volatile int *stop; /* or NULL */
  const Log *log;           /* or NULL */
  Progress *progress;       /* or NULL */
  const Engine *self;
  Ladder *ladder;
} EngineContext;

typedef enum {
  ENGINE_ENDED, /* more time would not help */
  ENGINE_CUT,   /* its share of the time was over */
} EngineEnd;

/* When an engine's turn comes. */
typedef enum {
  TIER_FACTS,   /* whole programs, cheap: first, and their suspicions direct the others */
  TIER_EXPLORE, /* looks at all executions, by some abstraction */
  TIER_SEARCH, /* looks for errors and proves nothing: a glance before the dear engines, and
                   the time that they leave */
} EngineTier;

struct Engine {
  const char *name;
  const char *summary; /* one line for --help */
  EngineTier tier;
  double share;   /* of the time that is left, at most; 1: all of it */
  bool unbounded; /* it answers for any number of threads */
  unsigned rests; /* ON_…: what its proofs rest on (verdict/caveat.h) */
  /* NULL if it accepts the obligation, or why not. */
  const char *(*objection)(const EngineContext *context, const Obligation *obligation);
  EngineEnd (*run)(EngineContext *context);
  /* Or NULL: tries a plan of another engine, see engine_offer. */
  bool (*follow)(EngineContext *context, const Plan *plan);
};

/* ---- for engines, implemented by the ladder ---- */

/* The obligation is open and this engine accepts it. */
bool engine_wants(const EngineContext *context, uint32_t obligation);
bool engine_wants_any(const EngineContext *context, Property property);
/* Its time is over, or everything is to stop. */
bool engine_is_over(const EngineContext *context);
double engine_seconds_left(const EngineContext *context);
/* What is left when every property has its verdict: further errors only add to it. */
double engine_seconds_after_errors(const EngineContext *context);
/* The property has no verdict yet: one error would decide it. */
bool engine_lacks_error(const EngineContext *context, Property property);

/* What the engine left behind when it was asked the last time, or NULL; in the arena. */
const void *engine_recall(const EngineContext *context);
void engine_keep(EngineContext *context, const void *what);

/* Everything a claim points to lives in the context's arena. */
void engine_claim(EngineContext *context, const Claim *claim);
/* Why it did not get further, for the user; in the arena or constant. */
void engine_tell_limit(EngineContext *context, Property property, const char *why);
/* A witness; true if it was accepted: then it is known to the user. */
bool engine_show(EngineContext *context, const Witness *witness);
/* A plan that may lead to an error: whoever can follow plans tries. True if one did, and the
 * error is shown. */
bool engine_offer(EngineContext *context, const Plan *plan);

#endif
