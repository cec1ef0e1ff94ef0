/* Atomic sections as parts of functions, for slices: what lies in which section.
 *
 * A section is a connected part of a function in which the number of open sections, counted
 * from the function's beginning, is not 0. Only functions have some in which that number is
 * the same on every way to a place and 0 wherever the function returns; operations of others
 * belong to none. */
#ifndef HEDDLE_ANALYSIS_SLICE_SECTIONS_H
#define HEDDLE_ANALYSIS_SLICE_SECTIONS_H

#include "base/vec.h"
#include "model/program.h"

typedef struct {
  uint32_t *around; /* by NodeId: the section that the node lies in; 0: in none */
  uint32_t
      *first; /* by section: of its operations in `operations`; one more at the end */
  EdgeId *operations; /* those that begin and end sections, section by section */
  uint32_t count;     /* sections are numbered from 1 */
} Sections;

void slice_sections_new(const Program *program, Sections *ret);
void slice_sections_free(Sections *sections);

/* The section that an edge begins, ends or lies in; 0: none. */
uint32_t slice_section_of(const Sections *sections, const Program *program, EdgeId edge);

/* No other thread notices this operation: a section around nothing else is no section. */
bool slice_section_ignores(const Edge *edge);

#endif
