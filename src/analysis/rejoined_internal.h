/* Private to rejoined.h.
 *
 *   rejoined.c        what takes ids from where, and that seen from the callers
 *   rejoined_cells.c  which cells these are, and what may write there
 *   rejoined_path.c   ways from one to the next inside of a function
 *   rejoined_range.c  which elements of an array are meant
 *   rejoined_gone.c   ids that are nowhere any more, calls that never return */
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
  bool gone;   /* … behind a call, which frees the cell before it returns */
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

/* Numbers of elements: at least `low`, and less than `high` or than the value of a local. */
typedef struct {
  int64_t low, high;
  ExprId bound; /* the local as an expression, or 0 … */
  LocalId local;
  uint8_t
      order; /* … and how it is compared: EXPR_SLT, EXPR_ULT, or EXPR_EQ for "not equal" */
} Range;

/* An array is filled with new threads' ids, in the order of its elements. */
typedef struct {
  ExprId address; /* of the element that a creation fills */
  LocalId counter;
} Fill;

enum { MOST_FILLS = 3 };

typedef struct {
  Fill list[MOST_FILLS];
  uint32_t count;
  Range range; /* the elements of which one had the id */
} Fills;

/* How far that is, on a way. */
typedef struct {
  uint8_t fill; /* number + 1, or 0: nothing is known to be filled */
  bool one;     /* the counter's own element is filled, too */
  bool all;     /* all elements are */
  bool over;    /* it can no longer be known which these are */
} FillPhase;

typedef struct {
  const Program *p;
  const PointsTo *pt;
  uint8_t *returns; /* by function: it may */
  VEC(IdWrite) writes;
  Map first_write;       /* object to the last one noted, + 1 */
  bool writes_anywhere;  /* some of them may be to any memory that is known outside */
  Map moved;             /* allocation site to one to which realloc moves what it has */
  VEC(ExprId) passed_on; /* cells of callees, whose ids go to their callers' cells */
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
/* Whenever its function returns, the cell that the taker has read is freed. */
bool rejoin_frees_behind(const Rejoin *r, const Taker *taker);

/* Which elements the taker's index may mean. False: nobody knows. */
bool rejoin_range(const Rejoin *r, const Taker *taker, Range *ret);
/* The condition says that the local is not less than … (`low` is not set). */
bool rejoin_is_at_least(const Rejoin *r, ExprId condition, LocalId local, Range *ret);
/* By how much the edge counts the local, up or down; 0: it sets it in another way. */
int64_t rejoin_counts(const Rejoin *r, const Edge *edge, LocalId local);

/* Before the others: which functions return. */
void rejoin_find_returns(Rejoin *r);
/* Where the edge leads; 0: nowhere. */
NodeId rejoin_next(const Rejoin *r, const Edge *edge);
/* The edge ends the life of what this points to. */
bool rejoin_frees(const Rejoin *r, const Edge *edge, ExprId root);
/* The edge stores a new thread's id, which is nowhere else. */
bool rejoin_stores_new(const Rejoin *r, EdgeId edge);
/* All that may fill the array from which `first` reads. */
void rejoin_find_fills(const Rejoin *r, const Taker *first, Fills *ret);
FillPhase rejoin_fill(const Rejoin *r, const Fills *fills, EdgeId edge, FillPhase phase);

/* The cell at an address: root + index × stride + offset; FROM_ANYWHERE where it is none such. */
IdPlace rejoin_place_at(const Rejoin *r, ExprId address);
/* The local was set, directly before the edge, by a call that returns a new thread's id. That is in a
 * cell of the callee's as well, where nobody else may take it (`passed_on`). */
bool rejoin_returns_new(const Rejoin *r, FuncId function, EdgeId edge, LocalId local);
/* The second edge comes directly behind the first, and on no other way. */
bool rejoin_is_behind(const Rejoin *r, FuncId function, EdgeId first, EdgeId second);
/* The only edge that sets the local; 0: none or several, or it is a parameter. */
EdgeId rejoin_setter(const Rejoin *r, FuncId function, LocalId local);
/* The local holds new memory of this function's own, whenever it is set. */
bool rejoin_is_new(const Rejoin *r, FuncId function, LocalId local);

#endif
