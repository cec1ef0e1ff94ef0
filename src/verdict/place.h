/* A place in the source, as people know it: what findings carry instead of edges of a model
 * or addresses of a program, so that a check and a recorded run find the same kind of thing.
 *
 * The texts belong to whoever made the place: the program model, or the reader of debug
 * information. Zeroed memory is "unknown". */
#ifndef HEDDLE_VERDICT_PLACE_H
#define HEDDLE_VERDICT_PLACE_H

#include "model/ids.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Program Program;

typedef struct {
  const char *file; /* NULL: unknown */
  uint32_t line, column;
  const char *function; /* or NULL */
  const char *words;    /* the source's own for what is accessed there, or NULL */
} SourcePlace;

static inline bool place_is_known(const SourcePlace *place) {
  return place->file && place->line;
}

/* Where an operation of the model stands, and where something is declared; 0 is nowhere.
 * The function of an edge is known even if its line is not. */
SourcePlace place_of_edge(const Program *program, EdgeId edge);
SourcePlace place_of_loc(const Program *program, LocId loc);

/* By file, line and column; what is unknown comes first. */
int place_compare(const SourcePlace *a, const SourcePlace *b);
/* The same operation, as far as the source tells. */
bool place_same(const SourcePlace *a, const SourcePlace *b);

#endif
