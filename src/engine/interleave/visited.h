/* The visited states of a search, exactly: their bytes, not hashes of them.
 *
 * A packed state is cut into pieces, and each different piece is kept once: states of
 * one search differ in few of them. A state is the list of its pieces, and each different
 * list is kept once. So two states are the same if and only if their bytes are (the tree
 * of LTSmin, after Laarman, van de Pol and Weber, of depth two). */
#ifndef HEDDLE_ENGINE_INTERLEAVE_VISITED_H
#define HEDDLE_ENGINE_INTERLEAVE_VISITED_H

#include "base/vec.h"
#include "engine/interleave/state.h"

#include <stdbool.h>

typedef struct Visited Visited;

Visited *visited_new(void);
void visited_free(Visited *visited); /* accepts NULL */

/* True if the state was not there yet. States are numbered from 0 on in the order of
 * their discovery. */
bool visited_add(Visited *visited, const Packed *state, uint32_t *ret_number);
/* Appends the bytes of a state, without what its canonical form leaves out. */
void visited_get(const Visited *visited, uint32_t number, ByteVec *bytes);

uint32_t visited_count(const Visited *visited);
/* Memory in use. */
uint64_t visited_bytes(const Visited *visited);

#endif
