/* What is listed about tuples of some threads. See modular.h. */
#include "proof/modular.h"

#include <assert.h>

typedef struct {
  Context *x;
  const ModularThread *threads;
  uint32_t count;
  const Term *shared;
  uint32_t chosen[MODULAR_LEVELS], chosen_count;
  /* of what is demanded */
  bool demanded;
  uint32_t bystanders;
  bool writes;
  const Map *known; /* conjuncts that hold before */
  Map *noted;       /* or NULL: gets them */
  Term all;
} Tuples;

static Term value_of(const Tuples *y, uint32_t thread, uint32_t variable) {
  const ModularThread *t = &y->threads[thread];
  Term value = t->values ? t->values[variable] : 0;
  return value ? value : y->x->c.variables.data[variable].now;
}

/* A variable in terms of the tuple → its value for the threads that were chosen. */
static void bind(const Tuples *y, Map *ret_with) {
  Context *x = y->x;
  for (uint32_t v = 0; v < x->c.variables.len; v++) {
    const ContextVariable *c = &x->c.variables.data[v];
    bool own = c->what == IS_LOCAL || c->what == IS_OWN;
    if (!own && y->shared && y->shared[v]) map_put(ret_with, c->now, y->shared[v]);
    for (uint32_t s = 0; own && s < y->chosen_count; s++)
      if (y->threads[y->chosen[s]].at.kind == c->kind)
        map_put(ret_with, modular_slot(x, s, v), value_of(y, y->chosen[s], v));
  }
}

static void take_tuple(Tuples *y) {
  Context *x = y->x;
  const Modular *m = x->modular;
  ModularPlace at[MODULAR_LEVELS] = {0};
  uint32_t bystanders = 0;
  for (uint32_t i = 0; i < y->chosen_count; i++) {
    at[i] = y->threads[y->chosen[i]].at;
    bystanders += y->threads[y->chosen[i]].bystander;
  }
  if (y->demanded &&
      (bystanders != y->bystanders || (bystanders == y->chosen_count && !y->writes)))
    return;
  const ModularTuple *tuple = modular_find(m, at, y->chosen_count);
  if (!tuple) { /* nobody is there, or nothing is said */
    if (y->chosen_count == 1) y->all = term_bool(x->t, false);
    return;
  }
  Map with = {0};
  bind(y, &with);
  for (uint32_t i = 0; i < tuple->term_count; i++) {
    Term holds = term_substitute(x->t, m->terms.data[tuple->first_term + i], &with);
    if (y->noted) map_put(y->noted, holds, 1);
    if (!y->known || !map_find(y->known, holds, 0))
      y->all = term_and(x->t, y->all, holds);
  }
  map_free(&with);
}

static bool may_follow(const Tuples *y, uint32_t thread) {
  ModularPlace at = y->threads[thread].at;
  for (uint32_t i = 0; i < y->chosen_count; i++) {
    if (y->chosen[i] == thread) return false;
    if (y->threads[y->chosen[i]].at.kind == at.kind && y->x->c.kinds.data[at.kind].once)
      return false;
  }
  return !y->chosen_count ||
         modular_compare(&y->threads[y->chosen[y->chosen_count - 1]].at, &at) <= 0;
}

/* Every choice of threads, in ascending order of their places, and in any order of those at one place. */
static void each_tuple(Tuples *y) {
  assert(y->chosen_count <= y->x->modular->level);
  if (y->chosen_count) take_tuple(y);
  if (y->chosen_count == y->x->modular->level) return;
  for (uint32_t i = 0; i < y->count; i++) {
    if (!may_follow(y, i)) continue;
    y->chosen[y->chosen_count++] = i;
    each_tuple(y);
    y->chosen_count--;
  }
}

Term modular_known(Context *x, const ModularThread *threads, uint32_t count,
                   Map *ret_known) {
  Tuples y = {.x = x,
              .threads = threads,
              .count = count,
              .noted = ret_known,
              .all = term_bool(x->t, true)};
  each_tuple(&y);
  return y.all;
}

Term modular_demanded(Context *x, const ModularThread *threads, uint32_t count,
                      const Term *shared, const Map *known, bool writes) {
  Tuples y = {.x = x,
              .threads = threads,
              .count = count,
              .shared = shared,
              .demanded = true,
              .writes = writes,
              .known = known,
              .all = term_bool(x->t, true)};
  for (uint32_t i = 0; i < count; i++) y.bystanders += threads[i].bystander;
  each_tuple(&y);
  return y.all;
}
