/* What is known of every reachable marking, in exact arithmetic.
 *
 * An invariant is a vector y >= 0 over places such that no transition increases the
 * weighted sum y·M; so y·M <= y·M0 for every reachable M. A trap that is marked in the
 * beginning stays marked. With multiples l of traps that lie inside y,
 *
 *     y·M  >=  u·M + (sum of l)      where u = y - (sum of l times each trap) >= 0,
 *
 * so a marking m, and everything above it, is unreachable when u·m > y·M0 - (sum of l).
 * The pool tests that for all its invariants at once, over lists per place. */
#ifndef HEDDLE_NET_POOL_H
#define HEDDLE_NET_POOL_H

#include "net/net.h"

typedef struct {
  uint32_t trap, times;
} TrapUse;

typedef struct {
  uint32_t y, y_len;       /* in `weights`; count is the weight */
  uint32_t u, u_len;       /* in `weights` */
  uint32_t uses, uses_len; /* in `uses` */
  uint64_t bound;          /* m is excluded when u·m > bound */
  uint64_t hits;
} Invariant;

typedef struct {
  uint32_t start, len; /* in `trap_places` */
} Trap;

typedef struct {
  uint32_t invariant, weight;
} PoolEntry;

typedef struct {
  const Net *net;
  VEC(Tokens) weights;
  VEC(TrapUse) uses;
  VEC(Trap) traps;
  VEC(uint32_t) trap_places;
  VEC(Invariant) invariants;
  VEC(PoolEntry) * entries; /* per place */
  VEC(uint64_t) score;      /* per invariant, zero between calls */
  VEC(uint32_t) scored;
  VEC(__int128) dense; /* scratch, per place, zero between calls */
} Pool;

/* `net` must outlive the pool; it has no omega except at sources of transfers. */
Pool *pool_new(const Net *net);
void pool_free(Pool *pool); /* accepts NULL */

/* An invariant that excludes the marking, or NET_NONE. */
uint32_t pool_excludes(Pool *pool, MarkingView marking);

/* Adds a trap, which the caller says is one and is marked in the beginning. */
uint32_t pool_add_trap(Pool *pool, const uint32_t *places, uint32_t len);

/* Adds an invariant if it is one (every transition is looked at) and excludes `marking`.
 * y is sorted by place. */
bool pool_add(Pool *pool, MarkingView y, const TrapUse *uses, uint32_t uses_len,
              MarkingView marking);

#endif
