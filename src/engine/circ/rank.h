/* Which predicates are learnt first. */
#ifndef HEDDLE_ENGINE_CIRC_RANK_H
#define HEDDLE_ENGINE_CIRC_RANK_H

#include "engine/circ/predicate.h"

/* In the order in which they are taken. */
typedef enum {
  RANK_SIMPLE, /* about one variable and constants */
  RANK_SHARED, /* … a shared one, where steps are taken one by one: the thread's own come first */
  RANK_OTHER, /* about several of one owner */
  RANK_MIXED, /* about shared and own ones */
  RANK_LATE,  /* one more number for a variable that is compared with many already */
  RANK_COUNT
} Rank;

Rank circ_rank(CircPredicates *predicates, Term candidate);
/* One more number for a variable that is compared with many already. */
bool circ_is_one_of_many(CircPredicates *predicates, Term candidate);

#endif
