/* All schedules once more, for the checker of proofs. See judge.c.
 *
 * A second formula for the same thing as unitorder.c, as plain as it can be and made by other code.
 * The order of all units that touch anything is a relation that says of each two which one comes
 * first. All that makes it a total order is written down at once: it agrees with the threads and with
 * creation, and it is transitive. There is no choice of sources: a unit that comes before a reader,
 * and after which nobody writes before the reader, is the one whose value is found. */
#include "engine/kiss/rounds_internal.h"

#include "base/mem.h"

enum { MOST_UNITS = 200 };

typedef struct {
  uint32_t thread, unit;
} Place;

typedef struct {
  Rounds *r;
  VEC(Place) places;
  Map place_of;  /* thread and unit → place + 1 */
  Term *earlier; /* [a * places + b]: a comes before b */
} Table;

static uint64_t key_of(uint32_t thread, uint32_t unit) {
  return (uint64_t)thread << 32 | unit;
}

static Term is_earlier(const Table *x, uint32_t a, uint32_t b) {
  return x->earlier[(size_t)a * x->places.len + b];
}

static uint32_t place_of(const Table *x, const Touch *t) {
  return (uint32_t)map_find(&x->place_of, key_of(t->thread, t->unit), 0) - 1;
}

static void find_places(Table *x) {
  Rounds *r = x->r;
  for (uint32_t i = 0; i < r->touches.len; i++) {
    uint64_t *slot =
        map_at(&x->place_of, key_of(r->touches.data[i].thread, r->touches.data[i].unit));
    if (*slot) continue;
    vec_push(&x->places, (Place){r->touches.data[i].thread, r->touches.data[i].unit});
    *slot = x->places.len;
  }
}

/* The event that creates the thread. */
static bool creation_of(const Rounds *r, uint32_t thread, Place *ret_place,
                        uint32_t *ret_event) {
  for (uint32_t t = 0; t < r->seq->threads.len; t++)
    for (uint32_t i = 0; i < r->seq->threads.data[t].events.len; i++)
      if (thread && r->seq->threads.data[t].events.data[i].created == thread) {
        *ret_place = (Place){t, r->threads[t].unit_of[i]};
        *ret_event = i;
        return true;
      }
  return false;
}

/* a is in the past of b whatever the schedule. */
static bool is_past(const Rounds *r, Place a, Place b) {
  uint32_t event, observer = r->seq->threads.len; /* who looks at the end */
  if (a.thread == observer || b.thread == observer) return a.thread != observer;
  while (a.thread != b.thread) {
    if (!creation_of(r, b.thread, &b, &event)) return false;
    if (a.thread == b.thread) return a.unit <= b.unit;
  }
  return a.unit < b.unit;
}

static void make_order(Table *x) {
  Rounds *r = x->r;
  size_t n = x->places.len;
  x->earlier = mem_alloc_zero((n * n + 1) * sizeof *x->earlier);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++) {
      bool past = is_past(r, x->places.data[a], x->places.data[b]);
      bool future = is_past(r, x->places.data[b], x->places.data[a]);
      Term is = past || future ? term_bool(r->t, past) : term_var(r->t, 1, "earlier");
      x->earlier[a * n + b] = is;
      x->earlier[b * n + a] = term_not(r->t, is);
    }
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      for (uint32_t c = 0; c < n; c++) {
        if (a == b || b == c || a == c) continue;
        Term both = term_and(r->t, is_earlier(x, a, b), is_earlier(x, b, c));
        Term fact = term_implies(r->t, both, is_earlier(x, a, c));
        if (!term_is_true(r->t, fact)) solver_assert(r->solver, fact);
      }
}

static void begin_after_creation(Rounds *r) {
  for (uint32_t t = 1; t < r->seq->threads.len; t++) {
    Place place;
    uint32_t event;
    Term created = term_bool(r->t, false);
    if (creation_of(r, t, &place, &event))
      created = rounds_performed(r, place.thread, event);
    if (r->threads[t].units)
      solver_assert(r->solver, term_implies(r->t, *ran_at(r, t, 0, 0), created));
  }
}

/* Between the source (NULL: the beginning) and the reader nobody writes. */
static Term is_undisturbed(const Table *x, const Touch *source, const Touch *reader) {
  Rounds *r = x->r;
  Term all = term_bool(r->t, true);
  for (uint32_t i = 0; i < r->touches.len; i++) {
    const Touch *w = &r->touches.data[i];
    if (w->slot != reader->slot || w == reader || w == source) continue;
    Term outside = is_earlier(x, place_of(x, reader), place_of(x, w));
    if (source)
      outside =
          term_or(r->t, outside, is_earlier(x, place_of(x, w), place_of(x, source)));
    all = term_and(r->t, all, term_implies(r->t, w->written, outside));
  }
  return all;
}

static void find_value(const Table *x, const Touch *reader) {
  Rounds *r = x->r;
  Terms *t = r->t;
  Term first = is_undisturbed(x, NULL, reader);
  Term start = r->slots.data[reader->slot].start;
  solver_assert(r->solver, term_implies(t, term_and(t, reader->used, first),
                                        term_eq(t, reader->in, start)));
  for (uint32_t i = 0; i < r->touches.len; i++) {
    const Touch *w = &r->touches.data[i];
    if (w->slot != reader->slot || w == reader || term_is_false(t, w->written)) continue;
    Term is = term_and(t, w->written, is_earlier(x, place_of(x, w), place_of(x, reader)));
    is = term_and(t, term_and(t, reader->used, is), is_undisturbed(x, w, reader));
    solver_assert(r->solver, term_implies(t, is, term_eq(t, reader->in, w->out)));
  }
}

bool plain_order_link(Rounds *r) {
  Table x = {.r = r};
  find_places(&x);
  bool good = x.places.len <= MOST_UNITS;
  if (good) {
    make_order(&x);
    begin_after_creation(r);
  }
  for (uint32_t i = 0; good && i < r->touches.len; i++)
    if (!term_is_false(r->t, r->touches.data[i].used))
      find_value(&x, &r->touches.data[i]);
  vec_free(&x.places);
  map_free(&x.place_of);
  mem_free(x.earlier);
  return good;
}
