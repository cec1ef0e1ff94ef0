/* What the files of the abstraction share. See abstract.h and abstract.c. */
#ifndef HEDDLE_ENGINE_CIRC_ABSTRACT_INTERNAL_H
#define HEDDLE_ENGINE_CIRC_ABSTRACT_INTERNAL_H

#include "base/mem.h"
#include "engine/circ/enumerate.h"

typedef struct {
  uint32_t predicate;
  uint32_t bit; /* of the local state behind */
} LocalPost;

typedef struct {
  uint32_t start;        /* CircKind.starts */
  uint32_t guard;        /* place in `what`; CIRC_NOBODY: it always happens */
  uint32_t first, count; /* places in `what` of the new thread's predicates */
} StartPlan;

/* How one block is asked about. */
typedef struct {
  bool made;
  VEC(uint32_t) groups; /* touched, ascending */
  VEC(uint8_t) written; /* by the same index */
  TermList what;
  VEC(uint32_t) relevant; /* local predicates before the block that matter */
  uint32_t first_local;   /* place in `what` */
  VEC(LocalPost) asked, copied, surely; /* behind: found out, as before, true */
  VEC(StartPlan) starts;
} BlockPlan;

typedef CircReady Ready;

/* A local state that stands for one of several: what a step of another thread left open. */
typedef struct {
  uint32_t local;
  uint32_t location; /* … of its kind */
  VEC(uint32_t) members;
} Unsure;

/* A step takes all other threads from one local state to another. */
typedef struct {
  uint32_t step, from, to;
} Shaken;

typedef struct {
  const CircAbstractQuestion *q;
  const CircPredicates *ps;
  CircModel *model;
  CircAbstraction *out;
  const char *why;
  uint32_t *bits;    /* by predicate: its bit in the local states of its kind */
  Map *group_values; /* by group: combination → value + 1 */
  StrMap locals;     /* kind, location, valuation → local state + 1 */
  BlockPlan **plans; /* by kind: by block */
  /* Of threads that are looked on while others move: see abstract_passive.c. */
  VEC(uint64_t) step_bits; /* by step: the combination that it stands for */
  VEC(Unsure) unsure;
  VEC(Shaken) shaken;
  VEC(uint32_t) looked;                    /* by local state: at so many steps */
  uint8_t *shared_support, *local_support; /* of what is looked at */
  uint32_t kind;                           /* whose block that is */
} Abstracter;

/* ---- abstract_plan.c ---- */

const BlockPlan *circ_plan_of(Abstracter *x, uint32_t kind, uint32_t block);
/* What must be known and found out to say when a condition holds, in a local state at this location, and
 * what `also` (or 0) is. */
void circ_plan_condition(Abstracter *x, uint32_t kind, uint32_t location, Term condition,
                         Term also, BlockPlan *plan);
void circ_plan_free(BlockPlan *plan);
/* The values behind a block over those before it. */
Map *circ_block_substitution(Abstracter *x, uint32_t kind, uint32_t block);
/* What is known of the thread's own variables. */
void circ_give_valuation(const Abstracter *x, uint32_t local, const BlockPlan *plan,
                         TermList *given);

/* It touches a group about a variable that counts threads. */
bool circ_plan_counts(const Abstracter *x, const BlockPlan *plan);
/* What that says of the thread. */
void circ_give_count(const Abstracter *x, uint32_t kind, const BlockPlan *plan,
                     TermList *given);

/* ---- abstract.c ---- */

uint32_t circ_local_state(Abstracter *x, uint32_t kind, uint32_t location,
                          uint64_t valuation);
/* The value of the group for `combination` of its predicates. */
uint32_t circ_group_value(Abstracter *x, uint32_t group, uint64_t combination);
uint32_t circ_group_size(const Abstracter *x, uint32_t group);
/* `count` bits from `*at` on, which moves on. */
uint64_t circ_cut(uint64_t bits, uint32_t *at, uint32_t count);

/* ---- abstract_error.c ---- */

/* Notes where a thread in this local state is next to do what the event is about. */
bool circ_add_ready(Abstracter *x, uint32_t local, CircLabel label, uint32_t event);
/* All errors: one that is ready, or two. False: the time was over. */
bool circ_pair_up(Abstracter *x);

/* ---- apart.c ---- */

/* Can two threads that are ready for these be at the same bytes? False: not known. */
bool circ_may_meet(Abstracter *x, const Ready *a, const Ready *b, bool *ret_may);

/* ---- abstract_passive.c ---- */

/* What steps do to threads that do not move. False: it became too much. */
bool circ_look_on(Abstracter *x);
bool circ_looked_at_all(const Abstracter *x);
void circ_settle_shakes(Abstracter *x);

#endif
