/* The checker of certificates: accepts a proof that a program has no race, or that its threads never wait for
 * each other's locks and ends in a circle, or says what is wrong with it.
 *
 * It shares no code with the analysis that finds the facts: each rule here is derived anew from
 * the meaning of the operations (model/op.h), of C11 and of POSIX. What it takes for granted is
 * the program model and the points-to relation (analysis/pointsto.h); see docs/certificate.md.
 *
 * Two questions. Are the facts inductive: does every step of every thread lead from a state of
 * the certificate into another one? And do the facts leave no pair of conflicting accesses that
 * nothing keeps apart? The accesses are enumerated here, not taken from the certificate. */
#ifndef HEDDLE_PROOF_PROOF_H
#define HEDDLE_PROOF_PROOF_H

#include "analysis/pointsto.h"
#include "base/arena.h"
#include "base/map.h"
#include "verdict/certificate.h"

typedef struct {
  EdgeId edge; /* where, or 0 */
  const char *what;
} Rejection;

/* Bytes of an object, as points-to folds them, `to` excluded. */
typedef struct {
  AObject object;
  uint64_t from, to;
} ProofRange;

/* What is to be proved, of what. */
typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  const Certificate *certificate;
  const Map *accepted_edges; /* accesses that the user accepts as they are */
  const uint8_t *open; /* by object of the program: no proof is claimed; NULL: for all */
  const ProofRange *open_ranges; /* … nor for these, by object */
  uint32_t open_range_count;
  bool orders; /* also: can waits for locks and for ends of threads form a circle? */
  const volatile int *stop; /* or NULL; not 0: come to an end, accepting nothing */
} ProofQuestion;

typedef struct {
  bool accepted;
  bool stopped;
  /* By object of the program, in the arena: pairs of accesses to it have no reason. The rest has been gone
   * through and is accepted, as if these objects had been open. NULL: all is accepted, or nothing is. */
  const uint8_t *refused;
  /* By object of the program, in the arena, or NULL: something of it is open, and the rest cannot be told from
   * that. It is accepted as if these objects had been open. */
  const uint8_t *doubted;
  VEC(Rejection) rejections; /* the first few */
  bool orders_accepted;      /* no circle of waits; facts do follow, whatever races */
  Rejection against_orders;  /* why not; it need not be wrong */
  uint32_t steps, accesses, pairs; /* how much was looked at */
} ProofResult;

/* Texts live in `arena`. */
void proof_check(const ProofQuestion *question, Arena *arena, ProofResult *ret_result);
void proof_result_free(ProofResult *result);

#endif
