/* Thread-modular proofs: invariants about a few threads at a time, as Horn clauses.
 *
 * An invariant of level K says, for each tuple of at most K threads at certain locations, what holds of the
 * shared variables and of the locals of these threads. It is inductive if it holds in the beginning,
 * and if every step of a thread, of the tuple or another one, keeps it, where the invariant is
 * known of all tuples of the tuple's threads and the one that moves. That is a system of Horn clauses
 * (solve/chc.h) with one predicate for each tuple; a solution that excludes the error is a proof for any
 * number of threads. Level 1 is the method of Owicki and Gries without ghosts, level 2 can tell
 * that two threads have different tickets; as many as there are threads, and it is the product.
 *
 * Where solutions come from (horn_atoms.c, and Spacer as an oracle) does not matter: all are lists of
 * candidates, and the largest inductive part of such a list is found over bit-vectors
 * (horn_filter.c).
 *
 * Papers: Hoenicke, Majumdar, Podelski, "Thread modularity at many levels", POPL 2017; Gurfinkel,
 * Shoham, Meshman, "SMT-based verification of parameterized systems", FSE 2016; Flanagan, Leino,
 * "Houdini, an annotation assistant for ESC/Java", FME 2001. See docs/circ.md. */
#ifndef HEDDLE_ENGINE_CIRC_HORN_H
#define HEDDLE_ENGINE_CIRC_HORN_H

#include "engine/circ/abstract.h"
#include "solve/chc.h"

enum { HORN_LEVELS = 4 };

typedef struct {
  uint32_t kind, location;
} HornAt;

/* Threads at these places, in ascending order. */
typedef struct {
  uint32_t count;
  HornAt at[HORN_LEVELS];
} HornTuple;

/* What a parameter of a predicate is: a shared variable, or a local of one of its threads. */
typedef struct {
  uint32_t slot; /* HORN_SHARED, or the index in the tuple */
  uint32_t variable;
} HornParameter;
#define HORN_SHARED UINT32_MAX

/* A conjunct that may be part of a predicate's meaning, over its parameters. */
typedef struct {
  Term term;
  bool dropped; /* it does not hold */
  bool needed;  /* by the proof */
} HornCandidate;

typedef struct {
  HornTuple tuple;
  bool reached;        /* by the filter: there may be such threads */
  bool needed_nowhere; /* not reached, and the proof needs that */
  VEC(HornParameter) parameters;
  VEC(HornCandidate) candidates;
  VEC(uint32_t) uses; /* clauses that have it in their body */
} HornPredicate;

typedef struct {
  CircModel *model;
  uint32_t level;
  Chc chc;
  VEC(HornPredicate) predicates; /* as those of the clauses */
  Map predicate_at;              /* hash of a tuple → number + 1 */
  Map copies;                    /* slot, kind, local → the variable of that slot */
  Map matters;                   /* variable → 1 */
  bool filtered;                 /* before */
} Horn;

typedef struct {
  CircModel *model;
  uint32_t level;
  CircConflict *conflict; /* which accesses race */
  void *user;
  SolveLimit limit;
} HornQuestion;

/* ---- horn_make.c ---- */

/* The clauses; NULL: there are too many tuples, or the time is over. */
Horn *horn_new(const HornQuestion *question);
void horn_free(Horn *horn); /* accepts NULL */

/* ---- horn_place.c ---- */

/* There is at most one thread of the kind in a run. */
bool horn_is_once(const Horn *horn, uint32_t kind);
/* The variable that stands for a local of the thread in this slot. */
Term horn_local(Horn *horn, uint32_t slot, uint32_t kind, uint32_t local);

/* ---- horn_matters.c: variables on which no condition depends are no parameters ---- */
void horn_find_matters(Horn *horn);
bool horn_matters(const Horn *horn, Term variable);
/* Threads of the kind do nothing that matters, but to start others: nothing is said about them and others
 * together. */
bool horn_is_aloof(const Horn *horn, uint32_t kind);

/* ---- horn_atoms.c ---- */

/* Comparisons of two parameters, and of one with a constant of the program. */
void horn_add_atoms(Horn *horn);
/* After a filter that was too weak: what it has dropped, if a shared variable has a certain value. */
void horn_add_conditional(Horn *horn);
/* False: it is there already, or says nothing. */
bool horn_add_candidate(Horn *horn, uint32_t predicate, Term term);

/* ---- horn_filter.c ---- */

typedef enum { HORN_OPEN, HORN_PROVED, HORN_TOO_WEAK } HornOutcome;
/* What the last filter dropped stays so, or may hold now that there are more candidates. */
typedef enum { HORN_DROPPED_STAYS, HORN_DROPPED_AGAIN } HornDropped;
/* Drops what is not inductive, and marks what a proof needs. OPEN: the time was over. TOO_WEAK: what is
 * left does not exclude the error. */
HornOutcome horn_filter(Horn *horn, HornDropped dropped, const SolveLimit *limit);

/* What to put for the predicate's parameters: the arguments of the atom. */
void horn_arguments(const Horn *horn, const ChcAtom *atom, Map *ret_with);

/* A solver for the next questions: the same one, or a new one when it has become slow. False: there is none. */
bool horn_renew_solver(Terms *terms, Solver **solver);

/* ---- horn_affine.c ---- */

/* After a filter that was too weak: linear equations, found by points. How many candidates are new. */
uint32_t horn_add_sums(Horn *horn, const SolveLimit *limit);

/* ---- horn_oracle.c ---- */

/* Asks Spacer about the clauses of tuples that are reached, with what the last filter has found; what it says
 * are more candidates. */
ChcAnswer horn_ask_oracle(Horn *horn, ChcSort sort, const SolveLimit *limit,
                          uint32_t *ret_added);

/* ---- horn.c ---- */

/* The proof, with what is needed of it marked; NULL: none was found, and `ret_why` (a constant) says how far
 * it got. `question` has the conflicts and the limit; levels are tried from 1 on. `tell` may be NULL. */
typedef void HornTell(void *user, const char *text);
Horn *horn_prove(const HornQuestion *question, HornTell *tell, const char **ret_why);

#endif
