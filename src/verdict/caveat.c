/* See caveat.h. */
#include "verdict/caveat.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;
  unsigned properties, rests;
  const char *text;
} Row;

static const Row rows[] = {
#define CAVEAT(name, properties, rests, text) {#name, properties, rests, text},
    CAVEATS(CAVEAT)
#undef CAVEAT
};

const char *caveat_name(CaveatId id) {
  assert(id < CAVEAT_COUNT);
  return rows[id].name;
}

void caveat_note(Caveats *c, CaveatId id, bool present, EdgeId edge) {
  assert(id < CAVEAT_COUNT);
  if (c->state[id] == CAVEAT_PRESENT) return;
  c->state[id] = present ? CAVEAT_PRESENT : CAVEAT_ABSENT;
  c->edge[id] = present ? edge : 0;
}

CaveatId caveat_against(const Caveats *c, Property property, unsigned rests) {
  assert(property < PROPERTY_COUNT && rests);
  for (int i = 0; i < CAVEAT_COUNT; i++)
    if ((rows[i].properties >> property & 1) && (rows[i].rests & rests) &&
        c->state[i] != CAVEAT_ABSENT)
      return (CaveatId)i;
  return CAVEAT_COUNT;
}

CaveatId caveat_against_all(const Caveats *c, Property property) {
  return caveat_against(c, property, ON_ALWAYS);
}

CaveatId caveat_against_none(const Caveats *c, Property property) {
  return property == PROPERTY_ASSERT ? caveat_against(c, property, ON_MEANING)
                                     : caveat_against_all(c, property);
}

const char *caveat_why(const Caveats *c, CaveatId id, const Program *p, Arena *arena) {
  assert(id < CAVEAT_COUNT && c->state[id] != CAVEAT_ABSENT);
  const char *text = c->text[id] ? c->text[id] : rows[id].text;
  if (c->state[id] == CAVEAT_NOT_EXAMINED)
    return arena_printf(arena, "nobody has looked whether something %s", text);
  const Loc *loc = c->edge[id] ? &p->locs.data[program_edge(p, c->edge[id])->loc] : NULL;
  if (!loc || !loc->line) return text;
  return arena_printf(arena, "%s:%u %s", sym_text(p, loc->file), loc->line, text);
}
