/* The cone of influence: variables of conditions, and those that variables of the cone are set from. See
 * horn.h. */
#include "engine/circ/horn.h"

typedef struct {
  Horn *h;
  bool changed;
} Cone;

static void add_variable(void *user, Term variable) {
  Cone *c = user;
  uint64_t *known = map_at(&c->h->matters, variable);
  c->changed = c->changed || !*known;
  *known = 1;
}

static void add_term(Cone *c, Term t) {
  Map seen = {0};
  term_variables(c->h->model->terms, t, &seen, add_variable, c);
  map_free(&seen);
}

static void add_conditions(Cone *c, const CircKind *k) {
  for (uint32_t i = 0; i < k->all.len; i++) add_term(c, k->all.data[i].guard);
  for (uint32_t i = 0; i < k->events.len; i++)
    if (!k->events.data[i].counter) add_term(c, k->events.data[i].guard);
  for (uint32_t i = 0; i < k->starts.len; i++) add_term(c, k->starts.data[i].guard);
}

static void add_set(Cone *c, const CircKind *k, const CircSet *set) {
  Term now = set->variable & CIRC_LOCAL ? k->locals.data[set->variable & ~CIRC_LOCAL].now
                                        : c->h->model->shared.data[set->variable].now;
  if (horn_matters(c->h, now)) add_term(c, set->value);
}

static void add_sets(Cone *c, const CircKind *k) {
  for (uint32_t i = 0; i < k->sets.len; i++) add_set(c, k, &k->sets.data[i]);
  for (uint32_t i = 0; i < k->starts.len; i++) {
    const CircStart *s = &k->starts.data[i];
    const CircKind *child = &c->h->model->kinds.data[s->kind];
    for (uint32_t n = 0; n < s->set_count; n++)
      add_set(c, child, &k->start_sets.data[s->first_set + n]);
  }
}

void horn_find_matters(Horn *h) {
  Cone c = {.h = h};
  const CircModel *m = h->model;
  for (uint32_t i = 0; i < m->kinds.len; i++) add_conditions(&c, &m->kinds.data[i]);
  do {
    c.changed = false;
    for (uint32_t i = 0; i < m->kinds.len; i++) add_sets(&c, &m->kinds.data[i]);
  } while (c.changed);
}

bool horn_is_aloof(const Horn *h, uint32_t kind) {
  const CircKind *k = &h->model->kinds.data[kind];
  for (uint32_t i = 0; i < k->events.len; i++)
    if (!k->events.data[i].counter) return false;
  for (uint32_t i = 0; i < k->locals.len; i++)
    if (horn_matters(h, k->locals.data[i].now)) return false;
  for (uint32_t i = 0; i < k->sets.len; i++) {
    CircVar v = k->sets.data[i].variable;
    if (!(v & CIRC_LOCAL) && horn_matters(h, h->model->shared.data[v].now)) return false;
  }
  return true;
}

bool horn_matters(const Horn *h, Term variable) {
  return map_find(&h->matters, variable, 0);
}
