/* Which threads may wait for ever: the judge of the states that a search has found.
 *
 * Three things are deadlocks: nobody can move; threads wait for each other, or for a lock
 * whose owner has ended, whatever the others do (stuck_circle); a thread waits for a
 * signal, a post or an arrival, and no way leads from there to one, nor to the end of the
 * program. The last one is a question about the whole graph, which is kept here: its
 * states, and those of its steps that are sure to be possible in the program. */
#ifndef HEDDLE_ENGINE_INTERLEAVE_STUCK_H
#define HEDDLE_ENGINE_INTERLEAVE_STUCK_H

#include "base/vec.h"
#include "engine/interleave/machine.h"

typedef struct {
  uint32_t from, to; /* states */
  uint64_t kept;     /* threads of `from` that `to` has too; they keep their order */
} StuckStep;

typedef struct {
  uint64_t waiting; /* threads that wait for an event */
  uint64_t hopeful; /* … of those that may go on some day; filled by the judge */
  EdgeId edge;      /* where one of them waits */
  bool settled;     /* the threads of `waiting` are known: all the others can go on */
} StuckState;

typedef struct {
  VEC(StuckState) states;
  VEC(StuckStep) steps;
} StuckGraph; /* zero-initialise */

void stuck_free(StuckGraph *graph);
/* The next state; states are numbered from 0 on. */
void stuck_add_state(StuckGraph *graph);
/* A state all of whose threads were asked: these wait for events. */
void stuck_settle(StuckGraph *graph, uint32_t state, uint64_t waiting, EdgeId edge);
/* The program may end in this state. */
void stuck_add_end(StuckGraph *graph, uint32_t state);
void stuck_add_step(StuckGraph *graph, uint32_t from, uint32_t to, uint64_t kept);
/* True if every thread that waits for an event can go on, or the program can end.
 * Otherwise *ret_edge is where one waits, in *ret_state. */
bool stuck_has_hope(StuckGraph *graph, EdgeId *ret_edge, uint32_t *ret_state);

/* The threads, out of those for which `waits` says anything, that wait for each other or
 * for one that has ended (`ended`). Without them nobody can help: the largest such set. */
uint64_t stuck_circle(const Wait waits[IL_MAX_THREADS], uint64_t ended);

#endif
