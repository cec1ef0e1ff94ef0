/* Shared by block.c and block_sets.c; nobody else includes it. */
#ifndef HEDDLE_ANALYSIS_BLOCK_SETS_H
#define HEDDLE_ANALYSIS_BLOCK_SETS_H

#include "analysis/block.h"

/* Fills in what the block reads and writes; its steps are there. */
void block_find_sets(const Automata *automata, const Automaton *automaton, Blocks *blocks,
                     Block *block);

#endif
