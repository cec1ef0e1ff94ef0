/* See accept.h. Every file that carries code is read once and searched for the words;
 * most have none, and then no edge is looked at. */
#include "engine/accept.h"

#include "base/lines.h"

#include <string.h>

static const char words[] = "heddle: accept";

/* The words count inside of a comment that begins in this line. */
static bool line_accepts(const char *text, size_t length) {
  const char *found = memmem(text, length, words, sizeof words - 1);
  if (!found) return false;
  size_t before = (size_t)(found - text);
  return memmem(text, before, "//", 2) || memmem(text, before, "/*", 2);
}

/* Lines that accept, as file << 32 | line. */
static void search_file(const Program *p, Lines *lines, Sym file, Map *marked) {
  const char *name = sym_text(p, file);
  uint32_t count = lines_count(lines, name);
  for (uint32_t line = 1; line <= count; line++) {
    size_t length;
    const char *text = lines_get(lines, name, line, &length);
    if (line_accepts(text, length)) map_put(marked, (uint64_t)file << 32 | line, 1);
  }
}

void accept_by_comments(const Program *p, Map *accepted) {
  Map files = {0}, marked = {0};
  Lines *lines = lines_new();
  for (EdgeId id = 1; id < p->edges.len; id++) {
    Sym file = p->locs.data[p->edges.data[id].loc].file;
    uint64_t *seen = map_at(&files, file);
    if (!*seen && *sym_text(p, file)) search_file(p, lines, file, &marked);
    *seen = 1;
  }
  for (EdgeId id = 1; id < p->edges.len && marked.len; id++) {
    const Loc *loc = &p->locs.data[p->edges.data[id].loc];
    if (map_get(&marked, (uint64_t)loc->file << 32 | loc->line)) map_put(accepted, id, 1);
  }
  lines_free(lines);
  map_free(&files);
  map_free(&marked);
}

void accept_by_rules(const Program *p, Map *accepted) {
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!program_accepts(p, sym_text(p, function->name), true)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      map_put(accepted, function->first_edge + i, 1);
  }
}
