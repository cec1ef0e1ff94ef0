/* The ladder: gives out time, takes claims and witnesses, has them checked, closes conditions.
 * It alone writes answers into obligations.
 *
 * The way of a claim of safety: the table of caveats must have nothing against it; the checker of
 * its kind of proof, if there is one, must accept it; all its conditions must come to be safe. The
 * way of an error: its witness is followed on a fresh machine and judged there. */
#ifndef HEDDLE_ENGINE_LADDER_H
#define HEDDLE_ENGINE_LADDER_H

#include "engine/engine.h"

/* Why an engine did not get further with a property. */
typedef struct {
  const Engine *engine;
  Property property;
  const char *why;
} Limit;

/* A claim of safety that awaits its conditions. */
typedef struct {
  Claim claim;
  const Engine *engine;
  bool checked; /* something other than its finder has accepted the proof */
  bool judged;  /* the checker was asked, or there is none */
} Pending;

/* An error, as it is told. */
typedef struct {
  Finding finding;
  uint32_t obligation; /* that it violates, or UINT32_MAX */
} Shown;

struct Ladder {
  const Program *program;
  const Engine *const *engines;   /* that may be asked; ends with NULL */
  const Engine *const *followers; /* that may try plans, asked or not: that is evidence */
  const EngineOptions *options;
  const Map *accepted;
  Analyses *analyses;
  Obligations *obligations;
  Arena *arena;
  double deadline;
  double extra; /* seconds for what is open when no verdict can change any more */
  const volatile int *stop;
  const Log *log;
  Progress *progress;

  bool hurries;   /* that is so, and the deadline has been moved */
  bool routes;    /* make one of each witness, for a replay */
  bool deaf;      /* who speaks directs others, but what it claims does not count */
  double part;    /* of its share that an engine gets; 0: all of it */
  double longest; /* seconds that it gets at most; 0: any number */
  VEC(Pending) pending;
  VEC(Limit) limits;
  VEC(Shown) shown;
  Map kept;                     /* by engine: what it left for its next turn */
  CertificateState certificate; /* of what lock sets say of races */
  bool contradiction;           /* something was claimed to be safe and shown not to be */
};

/* There is something open that the engine accepts. */
bool ladder_has_work(Ladder *ladder, const Engine *engine, uint32_t round);
/* Something is open that a proof could still answer; the rest can only be shown. */
bool ladder_may_prove(const Ladder *ladder);
/* Runs it with its share of the time, and settles what it claims. */
EngineEnd ladder_ask(Ladder *ladder, const Engine *engine, uint32_t round);
bool ladder_is_over(const Ladder *ladder);
/* Something asked for is open, and no error of the property was shown. */
bool ladder_is_undecided(const Ladder *ladder, Property property);
/* What one engine proved another one, or the same, has refuted: a defect of heddle. */
void ladder_contradicts(Ladder *ladder, const char *proved_by, const char *refuted_by);
void ladder_free(Ladder *ladder);

/* The checker of a kind of proof, for all claims of it at once (evidence.c). */
void evidence_judge(Ladder *ladder);

/* A witness as a finding (show.c). False: it is none. */
bool show_witness(Ladder *ladder, const Engine *engine, const Witness *witness);

#endif
