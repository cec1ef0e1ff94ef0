/* See deadlocks.h.
 *
 * An edge is an acquisition of one lock by a thread that holds another. Edges of a thread
 * with the same two locks, the same further locks and the same clock are one. Circles are
 * found by a search in depth that starts at the smallest lock of each circle and takes
 * every thread once. A circle whose edges share a lock cannot close, nor can one with two
 * edges that are ordered in every run. */
#include "predict/deadlocks.h"

#include <string.h>

enum { LONGEST = 12, MOST_CIRCLES = 2000, MOST_VISITS = 2000000 };

typedef struct {
  uint32_t held, wanted; /* locks */
  bool held_shared, wanted_shared;
  uint32_t thread, position;
  uint32_t set; /* held at that moment */
} Edge;

typedef struct {
  const Run *run;
  VEC(Edge) edges;
  VEC(uint32_t) * from; /* per lock: edges that hold it */
  uint32_t path[LONGEST];
  uint64_t visits;
  Circles *circles;
} Finder;

static void collect(Finder *f) {
  StrMap seen = {0};
  for (uint32_t i = 0; i < f->run->steps.len; i++) {
    const Step *s = &f->run->steps.data[i];
    if (!s->acquires) continue;
    const RunThread *t = &f->run->threads.data[s->thread];
    uint32_t set = t->held.data[s->place];
    const LockSet *held = &f->run->lock_sets.data[set];
    for (uint32_t k = 0; k < held->count; k++) {
      uint32_t key[5] = {s->thread, held->locks[k], s->lock * 2 + s->shared, held->kind,
                         t->epochs.data[s->place]};
      uint64_t *before = strmap_at(&seen, (const char *)key, sizeof key);
      if (*before) continue;
      *before = 1;
      vec_push(&f->edges, (Edge){held->locks[k], s->lock, held->shared[k], s->shared,
                                 s->thread, s->place, set});
    }
  }
  strmap_free(&seen);
  f->from = mem_alloc_zero(f->run->objects.len * sizeof *f->from);
  for (uint32_t i = 0; i < f->edges.len; i++)
    vec_push(&f->from[f->edges.data[i].held], i);
}

static bool compatible(const Finder *f, const Edge *a, const Edge *b) {
  return a->thread != b->thread && !run_guarded(f->run, a->set, b->set) &&
         !run_ordered(f->run, a->thread, a->position, b->thread, b->position) &&
         !run_ordered(f->run, b->thread, b->position, a->thread, a->position);
}

static void add_circle(Finder *f, uint32_t length) {
  Circle *c = vec_extend(&f->circles->circles, 1);
  for (uint32_t i = 0; i < length; i++) {
    const Edge *e = &f->edges.data[f->path[i]];
    vec_push(&c->targets, (Target){e->thread, e->position});
  }
}

static void extend(Finder *f, uint32_t length) {
  const Edge *first = &f->edges.data[f->path[0]],
             *last = &f->edges.data[f->path[length - 1]];
  if (f->visits++ > MOST_VISITS || f->circles->circles.len >= MOST_CIRCLES) {
    f->circles->cut = true;
    return;
  }
  for (uint32_t i = 0; i < f->from[last->wanted].len; i++) {
    uint32_t index = f->from[last->wanted].data[i];
    const Edge *e = &f->edges.data[index];
    if (e->held < first->held) continue; /* found from there */
    if (e->held_shared && last->wanted_shared) continue;
    bool ok = true;
    for (uint32_t k = 0; k < length && ok; k++)
      ok = compatible(f, &f->edges.data[f->path[k]], e);
    if (!ok) continue;
    f->path[length] = index;
    if (e->wanted == first->held && !(e->wanted_shared && first->held_shared))
      add_circle(f, length + 1);
    else if (length + 1 < LONGEST)
      extend(f, length + 1);
  }
}

void deadlocks_find(const Run *run, Circles *ret) {
  Finder f = {.run = run, .circles = ret};
  *ret = (Circles){0};
  collect(&f);
  for (uint32_t i = 0; i < f.edges.len; i++) {
    f.path[0] = i;
    extend(&f, 1);
  }
  for (uint32_t i = 0; i < run->objects.len; i++) vec_free(&f.from[i]);
  mem_free(f.from);
  vec_free(&f.edges);
}

void deadlocks_free(Circles *circles) {
  for (uint32_t i = 0; i < circles->circles.len; i++)
    vec_free(&circles->circles.data[i].targets);
  vec_free(&circles->circles);
  *circles = (Circles){0};
}
