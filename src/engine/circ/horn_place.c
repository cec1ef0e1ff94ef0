/* Where threads may be, and what the variables of a thread in a clause are. See horn_internal.h. */
#include "engine/circ/horn_internal.h"

#include "base/mem.h"

#include <stdlib.h>

bool horn_is_once(const Horn *h, uint32_t kind) {
  const CircKind *k = &h->model->kinds.data[kind];
  return !k->site || (k->id && !k->many);
}

uint32_t horn_place_of(const HornMaker *m, HornAt at) {
  return (uint32_t)map_find(&m->place_at, (uint64_t)at.kind << 32 | at.location, 0) - 1;
}

static void add_place(HornMaker *m, uint32_t kind, uint32_t location) {
  uint64_t *known = map_at(&m->place_at, (uint64_t)kind << 32 | location);
  if (*known) return;
  vec_push(&m->places, ((HornAt){kind, location}));
  *known = m->places.len;
}

uint32_t horn_start_of(const HornMaker *m, uint32_t kind) {
  return m->m->automata->kinds.data[m->m->kinds.data[kind].automaton].start;
}

static int compare_places(const void *a, const void *b) {
  const HornAt *x = a, *y = b;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  return x->location < y->location ? -1 : x->location > y->location;
}

/* Wherever blocks lead. */
void horn_find_places(HornMaker *m) {
  add_place(m, 0, horn_start_of(m, 0));
  for (uint32_t i = 0; i < m->places.len; i++) {
    HornAt at = m->places.data[i];
    const CircKind *k = &m->m->kinds.data[at.kind];
    for (uint32_t n = 0; n < k->all.len; n++) {
      const CircBlock *b = &k->all.data[n];
      if (b->from != at.location || b->stops) continue;
      if (b->to) add_place(m, at.kind, b->to);
      for (uint32_t s = 0; s < b->start_count; s++) {
        uint32_t kind = k->starts.data[b->first_start + s].kind;
        add_place(m, kind, horn_start_of(m, kind));
      }
    }
  }
  qsort(m->places.data, m->places.len, sizeof *m->places.data, compare_places);
  for (uint32_t i = 0; i < m->places.len; i++) {
    HornAt at = m->places.data[i];
    map_put(&m->place_at, (uint64_t)at.kind << 32 | at.location, i + 1);
  }
}

Term horn_local(Horn *h, uint32_t slot, uint32_t kind, uint32_t local) {
  const CircLocal *l = &h->model->kinds.data[kind].locals.data[local];
  if (!slot) return l->now;
  uint64_t *known =
      map_at(&h->copies, (uint64_t)slot << 48 | (uint64_t)kind << 32 | local);
  if (!*known) {
    Terms *t = h->model->terms;
    Str name = {0};
    str_addf(&name, "%s'%s", l->name ? l->name : "", slot > 1 ? "'" : "");
    *known = term_var(t, term_bits(t, l->now), str_text(&name));
    str_free(&name);
  }
  return (Term)*known;
}

const Term *horn_own_values(HornMaker *m, uint32_t slot, uint32_t kind) {
  uint32_t kinds = m->m->kinds.len, n = m->m->kinds.data[kind].locals.len;
  Term **values = &m->own[slot * kinds + kind];
  if (!*values) {
    *values = mem_alloc_zero((n + 1) * sizeof **values);
    for (uint32_t i = 0; i < n; i++) (*values)[i] = horn_local(m->h, slot, kind, i);
  }
  return *values;
}

HornThread horn_thread_in(HornMaker *m, uint32_t slot, HornAt at) {
  return (HornThread){.at = at, .values = horn_own_values(m, slot, at.kind)};
}
