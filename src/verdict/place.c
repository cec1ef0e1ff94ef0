/* See place.h. */
#include "verdict/place.h"

#include "model/program.h"

#include <string.h>

SourcePlace place_of_loc(const Program *p, LocId id) {
  const Loc *loc = id && id < p->locs.len ? &p->locs.data[id] : NULL;
  if (!loc || !loc->line) return (SourcePlace){0};
  return (SourcePlace){
      .file = sym_text(p, loc->file), .line = loc->line, .column = loc->column};
}

SourcePlace place_of_edge(const Program *p, EdgeId id) {
  if (!id) return (SourcePlace){0};
  const Edge *edge = program_edge(p, id);
  const Node *node = vec_at(&p->nodes, edge->from);
  SourcePlace place = place_of_loc(p, edge->loc);
  place.function = sym_text(p, vec_at(&p->functions, node->function)->name);
  place.words = sym_text(p, edge->path);
  return place;
}

int place_compare(const SourcePlace *a, const SourcePlace *b) {
  if (!a->file || !b->file) return (a->file != NULL) - (b->file != NULL);
  int file = strcmp(a->file, b->file);
  if (file) return file;
  if (a->line != b->line) return a->line < b->line ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

bool place_same(const SourcePlace *a, const SourcePlace *b) {
  return place_is_known(a) && place_is_known(b) && place_compare(a, b) == 0;
}
