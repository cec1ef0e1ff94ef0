/* What is known of every reachable marking, in exact arithmetic.
 *
 * An invariant is a vector y >= 0 over places such that no transition increases the
 * weighted sum y·M; so y·M <= y·M0 for every reachable M. A trap that is marked in the
 * beginning stays marked. With multiples l of traps that lie inside y,
 *
 *     y·M  >=  u·M + (sum of l)      where u = y - (sum of l times each trap) >= 0,
 *
 * so a marking m, and everything above it, is unreachable when u·m > y·M0 - (sum of l).
 * The pool tests that for all its invariants at once, over lists per place.
 *
 * When u·m is as large as that bound and no larger, m may be reachable, but only by
 * transitions that leave y·M as it is, and of these only by those that can fire when the
 * others do not. An invariant *after* another one is of that kind: it need not hold for
 * transitions that are not left, and excludes only markings that reach the bounds of all
 * those that it comes after. (This is how continuous Petri nets are decided: Fraca and
 * Haddad, Complexity analysis of continuous Petri nets.) Nets with transfers have none. */
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
  uint32_t after;          /* the invariant that it comes after, or NET_NONE */
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
  uint64_t work;       /* of pool_excludes, all in all */
  VEC(__int128) dense; /* scratch, per place, zero between calls */
  VEC(uint8_t) alive;  /* scratch, per transition */
  VEC(uint8_t) marked; /* scratch, per place */
} Pool;

/* `net` must outlive the pool; it has no omega except at sources of transfers. */
Pool *pool_new(const Net *net);
void pool_free(Pool *pool); /* accepts NULL */

/* An invariant that excludes the marking, or NET_NONE. */
uint32_t pool_excludes(Pool *pool, MarkingView marking);

/* Adds a trap, which the caller says is one and is marked in the beginning. */
uint32_t pool_add_trap(Pool *pool, const uint32_t *places, uint32_t len);

/* Adds an invariant if it is one (every transition that is left after `after`, which may
 * be NET_NONE, is looked at) and `marking`, which reaches the bounds of those before it,
 * is excluded or, with `reach`, reaches its bound. y is sorted by place. Returns its
 * number, or NET_NONE. */
uint32_t pool_add(Pool *pool, MarkingView y, const TrapUse *uses, uint32_t uses_len,
                  uint32_t after, bool reach, MarkingView marking);

/* Takes the invariants from this number on away again: they led nowhere. */
void pool_forget(Pool *pool, uint32_t from);

/* The transitions, and the places that can have tokens, that are left to a run to a
 * marking that reaches the bounds of `after` and those before it; per transition and per
 * place, valid until the next call of pool_add or this. */
void pool_narrow(Pool *pool, uint32_t after, const uint8_t **ret_alive,
                 const uint8_t **ret_marked);

#endif
