/* Places of the source by number, for control files: the runtime knows places of the code only, and is
 * given a table of which belongs to which. */
#ifndef HEDDLE_PREDICT_ATLAS_H
#define HEDDLE_PREDICT_ATLAS_H

#include "base/map.h"
#include "trace/format.h"
#include "trace/rows.h"
#include "verdict/place.h"

enum { ATLAS_ELSEWHERE = UINT32_MAX }; /* a place that has no number */

typedef struct {
  StrMap numbers; /* the file without folders, line and column */
  uint32_t count;
  Arena *arena;
  Rows rows;
} Atlas;

/* Reads the program's line table; false: it has none. Free it in any case. */
bool atlas_open(Atlas *atlas, const char *program);
void atlas_free(Atlas *atlas);

/* Its number, from 1 on; 0: the place is not known. */
uint32_t atlas_add(Atlas *atlas, const SourcePlace *place);
/* Fills the rows of a control file, which has as many as the atlas. */
void atlas_fill_rows(Atlas *atlas, Control *control);

#endif
