/* One set of thread automata, and where the threads of a run stand in them. See walk.c. */
#ifndef HEDDLE_TESTS_AUTOMATA_VIEW_H
#define HEDDLE_TESTS_AUTOMATA_VIEW_H

#include "analysis/block.h"
#include "analysis/slice.h"
#include "model/exec/eval.h"

enum { VIEW_THREADS = 64 };

/* Where a thread stands. */
typedef struct {
  const Automaton *automaton; /* NULL: it was not seen yet, or its kind was refused */
  const Blocks *blocks;
  uint32_t location; /* 0: the end */
  bool ended;
  bool skipping;      /* in a function that is not followed */
  uint64_t frame;     /* Frame.serial of the activation of the location */
  VEC(uint32_t) path; /* steps since the last cut point */
  uint32_t cut;       /* that one */
  Map memory;         /* variables that are memory: what was assigned last, + 1 */
} Walker;

typedef struct {
  Program program; /* the view of a slice, or a copy of the program's table of tables */
  bool sliced;
  const char *name; /* of the variable that it is about; or "the whole program" */
  uint8_t *asked;
  Automata *automata;
  Blocks **blocks; /* by kind */
  Walker walkers[VIEW_THREADS];
  uint64_t followed; /* steps that were compared */
  Str wrong;         /* the first disagreement */
} View;

/* `object` 0: the whole program. False: the slice or an automaton was not accepted by its checker,
 * see `wrong`. */
bool view_open(View *view, const Program *program, const PointsTo *pointsto,
               const Sharing *sharing, ObjectId object);
void view_close(View *view);

/* A run begins. */
void view_begin(View *view);
/* Threads that are new stand at the beginning of their automata. */
void view_meet(View *view, Exec *exec);
/* Before and after a step of the thread by this edge. False: `wrong` says why. */
bool view_before(View *view, Exec *exec, uint32_t thread, EdgeId edge);
bool view_after(View *view, Exec *exec, uint32_t thread, EdgeId edge);
/* What the thread does by this edge now is marked visible, or is not followed. */
bool view_is_visible(const View *view, const Exec *exec, uint32_t thread, EdgeId edge);

#endif
