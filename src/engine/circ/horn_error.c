/* What must not be: an assertion that fails, two threads that are next to do what races. See horn.h. */
#include "engine/circ/horn_internal.h"

typedef struct {
  HornMaker *m;
  uint32_t slot, kind;
  Map with;
} Renamer;

static void rename_variable(void *user, Term variable) {
  Renamer *r = user;
  const CircKind *k = &r->m->m->kinds.data[r->kind];
  if (map_find(&r->m->shared, variable, 0)) return;
  for (uint32_t i = 0; i < k->locals.len; i++)
    if (k->locals.data[i].now == variable) {
      map_put(&r->with, variable, horn_local(r->m->h, r->slot, r->kind, i));
      return;
    }
  map_put(&r->with, variable, term_var(r->m->t, term_bits(r->m->t, variable), NULL));
}

/* The condition of another thread of the kind. */
static Term in_slot(HornMaker *m, Term condition, uint32_t slot, uint32_t kind) {
  Renamer r = {.m = m, .slot = slot, .kind = kind};
  Map seen = {0};
  term_variables(m->t, condition, &seen, rename_variable, &r);
  Term made = term_substitute(m->t, condition, &r.with);
  map_free(&seen);
  map_free(&r.with);
  return made;
}

typedef struct {
  uint32_t kind, location;
  const CircEvent *event;
} Ready;
typedef VEC(Ready) Readies;

static void find_ready(const HornMaker *m, Readies *ret) {
  for (uint32_t kind = 0; kind < m->m->kinds.len; kind++) {
    const CircKind *k = &m->m->kinds.data[kind];
    for (uint32_t i = 0; i < k->all.len; i++) {
      const CircBlock *b = &k->all.data[i];
      if (horn_place_of(m, (HornAt){kind, b->from}) == UINT32_MAX) continue;
      for (uint32_t e = 0; e < b->event_count; e++) {
        if (k->events.data[b->first_event + e].counter)
          continue; /* nothing is counted here */
        vec_push(ret, ((Ready){kind, b->from, &k->events.data[b->first_event + e]}));
      }
    }
  }
}

void horn_add_errors(HornMaker *m) {
  Readies all = {0};
  find_ready(m, &all);
  for (uint32_t i = 0; i < all.len && !m->full; i++) {
    const Ready *a = &all.data[i];
    HornThread threads[2] = {horn_thread_in(m, 0, (HornAt){a->kind, a->location})};
    if (program_edge(m->m->question.program, a->event->edge)->op == OP_ASSERT) {
      horn_add_error(m, threads, 1, a->event->guard);
      continue;
    }
    for (uint32_t j = i; j < all.len; j++) {
      const Ready *b = &all.data[j];
      if ((a->event->inside && b->event->inside) ||
          (a->kind == b->kind && horn_is_once(m->h, a->kind)) ||
          !m->q->conflict(m->q->user, a->event->edge, b->event->edge))
        continue;
      threads[1] = horn_thread_in(m, 1, (HornAt){b->kind, b->location});
      horn_add_error(
          m, threads, 2,
          term_and(m->t, a->event->guard, in_slot(m, b->event->guard, 1, b->kind)));
    }
  }
  vec_free(&all);
}
