/* Blocks: what a thread does from one visible operation to the next, as one piece.
 *
 * In: a thread automaton. Out: its cut points and the blocks between them. A location is a cut
 * point if it is the start, if a visible step leaves it outside of atomic sections, if an operation
 * that may wait leaves it, if an assumption leaves it that has no alternative, or if it is the head of a loop without
 * any of these. A block is the
 * graph of all steps that lead from a cut point to another (or to the end, location 0) without
 * passing a third: it has no cycle, and its visible step, if it has one, is its first. So a thread
 * that stands at a cut point stands before an operation that others can notice, and what is
 * between is one formula (large-block encoding: Beyer, Cimatti, Griggio, Keremoglu, Sebastiani,
 * FMCAD 2009).
 *
 * An atomic section without loops and waiting is part of one block: that which begins with its
 * ATOMIC_BEGIN. Otherwise the section has cut points inside; blocks that begin there are atomic:
 * no other thread moves before them, unless this one waits. */
#ifndef HEDDLE_ANALYSIS_BLOCK_H
#define HEDDLE_ANALYSIS_BLOCK_H

#include "analysis/automaton.h"

typedef enum {
  CUT_NONE,
  CUT_VISIBLE,    /* before a visible operation */
  CUT_ASSUMPTION, /* before an assumption, or an assertion, without an alternative */
  CUT_LOOP,       /* the head of a loop, before nothing that anybody notices */
  CUT_START,      /* where the thread begins, before nothing that anybody notices */
  CUT_STEP,       /* anywhere else, by blocks_of_steps */
} CutKind;

/* Bytes of shared memory, as touch.h has them. */
typedef struct {
  uint32_t key, offset, size;
} Cell;

typedef struct {
  uint32_t entry, exit;            /* locations; exit 0: the end, or a dead end */
  bool atomic;                     /* the entry is inside of an atomic section */
  bool ends;                       /* exit 0: a thread ends with it */
  uint32_t first_step, step_count; /* Blocks.steps, in topological order */
  /* Blocks.variables, ascending: those that some step reads, then those that some step writes. */
  uint32_t first_read, read_count, first_written, written_count;
  /* Blocks.cells: those read, then those written, each ascending. */
  uint32_t first_cell_read, cell_read_count, first_cell_written, cell_written_count;
} Block;

typedef struct {
  uint8_t *cuts;     /* CutKind by location */
  VEC(Block) blocks; /* by entry, then by exit, ascending */
  VEC(uint32_t) steps;
  VEC(uint32_t) variables;
  VEC(Cell) cells;
} Blocks;

/* The automaton must not be refused. */
Blocks *blocks_new(const Automata *automata, const Automaton *automaton);
/* Every location is a cut point: a block is a step, or several between the same two locations. */
Blocks *blocks_of_steps(const Automata *automata, const Automaton *automaton);
void blocks_free(Blocks *blocks);

/* The first block that begins at a location, and how many there are. */
uint32_t blocks_from(const Blocks *blocks, uint32_t entry, uint32_t *ret_first);

#endif
