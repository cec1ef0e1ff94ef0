/* What the files that make clauses share; nobody else includes it. See horn.h. */
#ifndef HEDDLE_ENGINE_CIRC_HORN_INTERNAL_H
#define HEDDLE_ENGINE_CIRC_HORN_INTERNAL_H

#include "engine/circ/horn.h"

/* A thread of a clause. */
typedef struct {
  HornAt at;
  const Term *values; /* by local */
  bool bystander;
  Term if_started; /* it is there if this holds; 0: in any case */
} HornThread;

typedef struct {
  const HornQuestion *q;
  Horn *h;
  CircModel *m;
  Terms *t;
  Map place_at; /* kind << 32 | location → index in `places` + 1 */
  VEC(HornAt) places;
  Map shared;           /* variable → 1 */
  Term *before, *after; /* values of shared variables around the step */
  Term **own;           /* by slot and kind: slot · kinds + kind → values of locals */
  bool full;            /* there are too many */
  bool *aloof;          /* by kind */
} HornMaker;

/* ---- horn_place.c ---- */

/* All places that blocks lead to, in ascending order. */
void horn_find_places(HornMaker *maker);
/* Where threads of the kind begin. */
uint32_t horn_start_of(const HornMaker *maker, uint32_t kind);
/* By local: its variable for a thread in this slot. */
const Term *horn_own_values(HornMaker *maker, uint32_t slot, uint32_t kind);
/* The index of a place where threads may be; UINT32_MAX: it is none. */
uint32_t horn_place_of(const HornMaker *maker, HornAt at);
/* A thread there, whose locals are those of the slot. */
HornThread horn_thread_in(HornMaker *maker, uint32_t slot, HornAt at);

/* ---- horn_make.c ---- */

/* The threads are there, and the guard holds: that must not be. */
void horn_add_error(HornMaker *maker, HornThread *threads, uint32_t count, Term guard);

/* ---- horn_error.c ---- */
void horn_add_errors(HornMaker *maker);

#endif
