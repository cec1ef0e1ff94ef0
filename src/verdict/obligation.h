/* Obligations: the questions that a check consists of, one list made in one place
 * (engine/collect.h).
 *
 * A property holds if each of its obligations does. An obligation of races is a location, a run
 * of bytes of one object: no two accesses to it race. One more stands for all memory that no
 * location lists. An obligation of deadlocks is an operation that waits: no thread waits there
 * for ever. One of assertions is an assertion. What an engine suspects is kept with the
 * obligation: pairs of accesses, or a circle of waits.
 *
 * Engines read obligations and make claims (verdict/claim.h); the answer is written by the
 * ladder alone. The zero value of everything here claims nothing. */
#ifndef HEDDLE_VERDICT_OBLIGATION_H
#define HEDDLE_VERDICT_OBLIGATION_H

#include "base/vec.h"
#include "verdict/result.h"

/* X(kind, the property that it is a question of). */
#define OBLIGATION_KINDS(X)                                                              \
  X(NONE, RACE)                                                                          \
  X(LOCATION, RACE)    /* at these bytes */                                              \
  X(ELSEWHERE, RACE)   /* at memory that no location lists */                            \
  X(WAIT, DEADLOCK)    /* at this operation */                                           \
  X(ASSERTION, ASSERT) /* this one fails */

#define OBLIGATION_ENUM(kind, property) OBLIGATION_##kind,
typedef enum { OBLIGATION_KINDS(OBLIGATION_ENUM) OBLIGATION_KIND_COUNT } ObligationKind;

/* What an engine could not exclude: two accesses of a location, or the operations that wait for
 * each other in a circle. */
typedef struct {
  const uint32_t *records; /* race: two of Flow.accesses; deadlock: of Flow.acquires */
  uint32_t count;
  bool accepted; /* the user said that it is meant so */
  uint32_t rank; /* of warnings: lower is more likely to be an error */
} Suspicion;

typedef struct {
  ObligationKind kind;
  /* A location. */
  uint32_t object;                     /* AObject */
  uint64_t from, to;                   /* bytes of it, `to` excluded */
  uint32_t first_member, member_count; /* Obligations.members: its accesses */
  EdgeId edge;   /* the wait, the assertion; ELSEWHERE: an access, or 0 */
  bool asked;    /* by the user; otherwise it serves as a condition of others */
  bool accepted; /* some of its races the user may have accepted */

  /* The answer, written by the ladder. */
  Verdict verdict;
  const char *engine; /* that gave it */
  Reason reason;      /* of a location */
  const char *const *guards;
  uint32_t guard_count;
  const char *story; /* of a claim, in a sentence; or NULL */
  bool unchecked;    /* safe, but nothing other than its finder has checked it */
  const Suspicion *suspicions;
  uint32_t suspicion_count;
  double
      seconds; /* spent by engines that were asked about it, shared among all they had */
} Obligation;

typedef struct {
  VEC(Obligation) list;
  VEC(uint32_t) members; /* indices of Flow.accesses */
  /* Everything of the property is in the list. Zero: nobody has looked, nothing is proved. */
  bool complete[PROPERTY_COUNT];
} Obligations;

Property obligation_property(const Obligation *o);
void obligations_free(Obligations *obligations);

/* Nothing has been decided about it. */
static inline bool obligation_is_open(const Obligation *o) {
  return o->verdict == VERDICT_UNKNOWN;
}

#endif
