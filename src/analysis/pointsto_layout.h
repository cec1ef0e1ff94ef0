/* Layouts: which offsets of an object are one because they are elements of an array.
 *
 * A layout is a forest of array regions taken from a C type, in "folded" offsets: those of
 * the first element of every array. Folding an offset follows the regions that contain it
 * from the outside in. Inside a union nothing is folded, for its members disagree. */
#ifndef HEDDLE_ANALYSIS_POINTSTO_LAYOUT_H
#define HEDDLE_ANALYSIS_POINTSTO_LAYOUT_H

#include "model/program.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t start, element; /* element: bytes, not 0; 1 for scalars of any size */
  uint32_t step;           /* bytes of an element, also of scalars */
  uint32_t end;            /* of the last element; UINT32_MAX: open */
  uint32_t first_child, child_count;
  bool
      front; /* begins where a structure begins that goes on behind it: a pointer to its first byte
                 may mean that structure */
} Region;

typedef struct {
  const Region *regions; /* the outermost ones, ascending */
  uint32_t count;
} RegionList;

typedef struct Layouts Layouts;

Layouts *layouts_new(const Program *program);
void layouts_free(Layouts *layouts); /* accepts NULL */

/* The layout of a type: exactly one of it, or (`many`) any number of them one behind the
 * other, as in an allocated block. A number for layout_fold; 0: nothing is folded. */
uint32_t layouts_of(Layouts *layouts, TypeId type, bool many);

uint32_t layout_fold(const Layouts *layouts, uint32_t layout, uint32_t offset);

/* The bytes that an access may touch, in folded offsets. */
typedef struct {
  uint64_t from, to;
  bool crosses; /* it may reach from one element into the next, or out of the array */
} LayoutExtent;

/* What `size` bytes from a place on may be: `at` is a folded offset, or (`exact`) the very offset in the
 * object. Two accesses that may touch the same byte have extents that meet; see the argument there. */
LayoutExtent layout_extent(const Layouts *layouts, uint32_t layout, uint64_t at,
                           uint64_t size, bool exact);

/* How far the regions go, open ones for one element. */
uint64_t layout_length(const Layouts *layouts, uint32_t layout);

/* The regions around a folded offset, from the outside in; at most LAYOUT_DEPTH of them are
 * written, deeper ones fold with the last. Returns how many there are. */
enum { LAYOUT_DEPTH = 8 };
uint32_t layout_around(const Layouts *layouts, uint32_t layout, uint32_t offset,
                       const Region *ret[LAYOUT_DEPTH]);

#endif
