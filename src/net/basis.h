/* A set of markings of which none is below another: the minimal elements of an upward-
 * closed set, with the two questions that a backward search asks all the time.
 *
 * Items are numbered in the order of insertion and never move; one that a smaller marking
 * made superfluous, or that was removed, is no longer `alive` but keeps its tokens, since
 * a path to the target may lead over it. */
#ifndef HEDDLE_NET_BASIS_H
#define HEDDLE_NET_BASIS_H

#include "net/net.h"

typedef struct {
  uint32_t start, len; /* in `tokens` */
  uint64_t signature;  /* one bit per place modulo 64 */
  uint32_t parent;     /* the item that firing `transition` leads to, or NET_NONE */
  uint32_t transition; /* of the net; for an item without parent its target */
  uint32_t step;       /* where it ends in the tree */
  uint32_t depth;      /* firings to the target */
  uint32_t sum;        /* of all tokens, at most UINT32_MAX */
  bool alive;
} BasisItem;

typedef VEC(uint32_t) BasisList;

/* The tree of all items (see basis.c). A step is reached by the tokens of one place, a
 * fork leads from a step to the steps that differ in the count of one further place. */
typedef struct {
  uint32_t count; /* of the place of its fork */
  uint32_t next;  /* the next step of the fork, with more tokens, or NET_NONE */
  uint32_t up;    /* the step before, or NET_NONE for the root */
  uint32_t forks, fork_count; /* the first, or NET_NONE */
  uint32_t item;              /* that ends here, or NET_NONE */
  uint32_t alive;             /* items at or below this step */
} BasisStep;

typedef struct {
  uint32_t place;
  uint32_t next;  /* fork of the same step, or NET_NONE */
  uint32_t steps; /* the first */
} BasisFork;

typedef struct {
  uint32_t places;
  VEC(Tokens) tokens;
  VEC(BasisItem) items;
  uint32_t alive; /* items */
  uint64_t work;  /* items looked at so far: a measure of cost that no clock disturbs */
  VEC(BasisStep) steps; /* the first is the root */
  VEC(BasisFork) forks;
  Map fork_index;     /* step and place to 1 + fork */
  uint32_t *counts;   /* per place: of the marking being looked up, else 0 */
  BasisList *holding; /* per place: items with tokens there */
} Basis;

Basis *basis_new(uint32_t places);
void basis_free(Basis *basis); /* accepts NULL */

static inline MarkingView basis_view(const Basis *basis, uint32_t item) {
  const BasisItem *x = &basis->items.data[item];
  return (MarkingView){basis->tokens.data + x->start, x->len};
}

/* An item that is alive and at most `marking`, or NET_NONE. */
uint32_t basis_below(Basis *basis, MarkingView marking);

/* Adds a marking that no item is below, and returns its number; items above it die.
 * *ret_died is how many. */
uint32_t basis_add(Basis *basis, MarkingView marking, uint32_t parent,
                   uint32_t transition, uint32_t *ret_died);

void basis_remove(Basis *basis, uint32_t item);

/* Bytes in use, roughly. */
size_t basis_memory(const Basis *basis);

/* Is every count of `a` at most that of `b`? */
bool marking_below(MarkingView a, MarkingView b);

#endif
