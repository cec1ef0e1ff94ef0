/* See atlas.h. */
#include "predict/atlas.h"

#include <stdio.h>
#include <string.h>

bool atlas_open(Atlas *a, const char *program) {
  *a = (Atlas){.arena = arena_new()};
  return rows_read(program, a->arena, &a->rows);
}

void atlas_free(Atlas *a) {
  strmap_free(&a->numbers);
  vec_free(&a->rows);
  arena_free(a->arena);
}

static uint32_t number_of(Atlas *a, const char *file, uint32_t line, uint32_t column,
                          bool new) {
  char text[512];
  const char *slash = strrchr(file, '/');
  int length =
      snprintf(text, sizeof text, "%s:%u:%u", slash ? slash + 1 : file, line, column);
  if (length >= (int)sizeof text) return ATLAS_ELSEWHERE;
  uint64_t *slot = strmap_at(&a->numbers, text, (size_t)length);
  if (!*slot && new) *slot = ++a->count;
  return *slot ? (uint32_t)*slot : ATLAS_ELSEWHERE;
}

uint32_t atlas_add(Atlas *a, const SourcePlace *place) {
  if (!place_is_known(place)) return 0;
  return number_of(a, place->file, place->line, place->column, true);
}

void atlas_fill_rows(Atlas *a, Control *c) {
  for (uint32_t i = 0; i < a->rows.len; i++) {
    const Row *row = &a->rows.data[i];
    control_rows(c)[i] = (ControlRow){
        .address = row->address,
        .place = row->file ? number_of(a, row->file, row->line, row->column, false)
                           : ATLAS_ELSEWHERE};
  }
}
