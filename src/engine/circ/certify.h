/* The certificate of a proof by contexts: the abstraction as text, for proof/context.h. */
#ifndef HEDDLE_ENGINE_CIRC_CERTIFY_H
#define HEDDLE_ENGINE_CIRC_CERTIFY_H

#include "engine/circ/circ.h"
#include "verdict/obligation.h"

typedef struct {
  const Program *program; /* the whole one, not its slice */
  const Obligation *obligation;
  const uint8_t *asked;  /* by EdgeId */
  const uint8_t *relied; /* by ObjectId: must be free of races */
  const CircAnswer *answer;
} CircProof;

/* What writers of certificates share: this file's own and horn_certify.c. */
typedef struct {
  const CircProof *proof; /* its answer may be NULL */
  const CircPredicates *ps;
  const CircModel *model;
  const CircAbstraction *abstraction;
  Str *out;
  Map variables; /* variable of the pool → number + 1 */
  Map constants; /* local << 32 | its number, as terms → which of the last predicates + 1 */
  /* Of variables that stand for those of a thread of a tuple: of which, + 1; for which variable. */
  Map slots, origins;
  bool *once;      /* by kind: there is one such thread */
  uint32_t *bits;  /* by predicate: its bit in valuations of its kind */
  uint32_t tokens; /* of the term at hand */
  bool fits;       /* all of it could be written so far */
} CircWriter;
void circ_write_question(const CircWriter *writer);
/* Variables get the next number, once. */
void circ_write_shared(CircWriter *writer, const CircShared *shared);
void circ_write_local(CircWriter *writer, uint32_t kind, const CircLocal *local);
void circ_write_term(CircWriter *writer, Term term, int depth);

/* Whether something keeps accesses of the obligation apart that no certificate tells: memory that each thread has of its
 * own, elements of arrays; locks inside of the library, or flow sees an access where nobody else does. Of the former
 * two a proof may do without (CircAsking.strict). */
typedef enum { CIRC_NOT_TOLD, CIRC_TOLD_STRICTLY, CIRC_TOLD } CircTold;
CircTold circ_told(const Program *program, const Flow *flow, const Obligations *all,
                   const Obligation *o);
/* Appends it, as docs/certificate.md describes. False: it cannot be written down, and `out` is as it
 * was. */
bool circ_certify(const CircProof *proof, Str *out);
/* That no access is to memory that nobody knows. */
void circ_certify_elsewhere(const Program *program, Str *out);

#endif
