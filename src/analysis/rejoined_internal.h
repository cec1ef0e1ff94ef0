/* Private to rejoined.h.
 *
 *   rejoined.c        what takes ids from where, and that seen from the callers
 *   rejoined_cells.c  which cells these are, and what may write there
 *   rejoined_path.c   ways from one to the next inside of a function */
#ifndef HEDDLE_ANALYSIS_REJOINED_INTERNAL_H
#define HEDDLE_ANALYSIS_REJOINED_INTERNAL_H

#include "analysis/rejoined.h"
#include "base/map.h"
#include "base/vec.h"

enum { ID_BYTES = 8 };

/* Where an id comes from, in the words of one function: the cell at root + index × stride + offset. */
typedef enum {
  FROM_ANYWHERE, /* some cell of what `root` may point to; without a root: any thread's */
  FROM_CELL,     /* index 0: this one */
  FROM_CALL, /* what the call returned that `address`, a local, was set by: a new thread's, from a
                    cell of the callee's own, which `root` is */
  FROM_PARAM, /* the parameter `root` is the id itself */
  FROM_SELF,  /* the thread that runs the function */
} TakenFrom;

typedef struct {
  TakenFrom from;
  ExprId root;
  bool fixed;     /* the root has a new object's address, whenever it is set */
  ExprId address; /* of the cell, as the source computes it; or 0 */
  int64_t offset;
  LocalId index;
  uint64_t stride;
} IdPlace;

/* A thread is joined or detached there: by the edge itself, or behind a call or a creation. */
typedef struct {
  EdgeId edge;
  EdgeId load; /* that read the id from its cell, or the edge */
  EdgeId join; /* the JOIN that it is; 0: it only detaches */
  FuncId function;
  IdPlace place;
  bool late;   /* a created thread does it, at any time from then on */
  bool inside; /* … behind a call, which creates the thread as well */
  bool lifted; /* the callers have it as well */
} Taker;

typedef VEC(Taker) Takers;

/* What may put an id into a cell, other than a creation. */
typedef struct {
  EdgeId edge;
  AObject object;
  uint32_t offset, size; /* as points-to folds it; 0: of unknown size */
  uint32_t next;         /* of the same object, + 1 */
} IdWrite;

typedef struct {
  const Program *p;
  const PointsTo *pt;
  VEC(IdWrite) writes;
  Map first_write;      /* object to the last one noted, + 1 */
  bool writes_anywhere; /* some of them may be to any memory that is known outside */
  Takers takers;
  bool too_many;
} Rejoin;

/* Fills what may write ids. Before the others. */
void rejoin_find_writes(Rejoin *r);
/* Every id in these cells was put there by a creation. */
bool rejoin_has_own_ids(const Rejoin *r, const IdPlace *place);
/* The root is loaded from a variable to which nothing but new memory is ever assigned. */
bool rejoin_has_fixed_root(const Rejoin *r, FuncId function, const IdPlace *place);
bool rejoin_may_be_same(const Rejoin *r, const IdPlace *x, const IdPlace *y);

/* Within one run of their function, the second may follow on the first, with the same id. */
bool rejoin_follows(const Rejoin *r, const Taker *first, const Taker *second);
/* Its function creates the thread before, each time. */
bool rejoin_fills_first(const Rejoin *r, const Taker *taker);
/* Its index is at least `low` and less than `high`. False: nobody knows. */
bool rejoin_range(const Rejoin *r, const Taker *taker, int64_t *ret_low,
                  int64_t *ret_high);
/* The only edge that sets the local; 0: none or several, or it is a parameter. */
EdgeId rejoin_setter(const Rejoin *r, FuncId function, LocalId local);
/* The local holds new memory of this function's own, whenever it is set. */
bool rejoin_is_new(const Rejoin *r, FuncId function, LocalId local);

#endif
