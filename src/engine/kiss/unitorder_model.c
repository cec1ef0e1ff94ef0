/* The order of units in a model. See unitorder.c.
 *
 * The variables of a model may form a circle through three and more threads. Each circle that is
 * found becomes a clause, and the question is asked again; an order without circles is a schedule. */
#include "engine/kiss/unitorder_internal.h"

#include "base/mem.h"

#include <assert.h>

enum { MOST_CIRCLES = 300 };

/* The model as a graph over points: edges go from what comes first. */
typedef struct {
  Rounds *r;
  uint32_t n;
  uint8_t *edge; /* [a * n + b] */
  uint8_t *runs; /* by point: it is performed */
  uint32_t *queue;
  uint32_t *came_by; /* by point: its predecessor + 1 on the way */
} Graph;

static bool is_true(Rounds *r, Term t) {
  return solver_number(r->solver, t) != 0;
}

static void graph_new(Rounds *r, Graph *g) {
  const UnitOrder *o = r->order;
  size_t n = o->points.len;
  *g = (Graph){.r = r, .n = (uint32_t)n};
  g->edge = mem_alloc_zero(n * n + 1);
  g->runs = mem_alloc_zero(n + 1);
  g->queue = mem_alloc_zero((n + 1) * sizeof *g->queue);
  g->came_by = mem_alloc_zero((n + 1) * sizeof *g->came_by);
  for (uint32_t a = 0; a < n; a++)
    g->runs[a] =
        is_true(r, *ran_at(r, o->points.data[a].thread, o->points.data[a].unit, 0));
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++) {
      Term before = o->before[a * n + b];
      bool known = term_is_true(r->t, before) || term_is_false(r->t, before);
      if (!g->runs[a] || !g->runs[b] || (!known && !o->linked[a * n + b])) continue;
      if (is_true(r, before))
        g->edge[a * n + b] = 1;
      else
        g->edge[b * n + a] = 1;
    }
}

static void graph_free(Graph *g) {
  mem_free(g->edge);
  mem_free(g->runs);
  mem_free(g->queue);
  mem_free(g->came_by);
}

/* The points in an order that all edges agree with; fewer than there are: there are circles among
 * the rest, whose `place` is 0. */
static uint32_t sort(const Graph *g, uint32_t *place, uint32_t *sorted) {
  size_t n = g->n;
  uint32_t *missing = mem_alloc_zero((n + 1) * sizeof *missing);
  uint32_t done = 0, head = 0;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++) missing[b] += g->edge[a * n + b];
  for (uint32_t a = 0; a < n; a++)
    if (!missing[a]) sorted[done++] = a;
  for (; head < done; head++) {
    place[sorted[head]] = head + 1;
    for (uint32_t b = 0; b < n; b++)
      if (g->edge[sorted[head] * n + b] && !--missing[b]) sorted[done++] = b;
  }
  assert(done <= n);
  mem_free(missing);
  return done;
}

/* The shortest circle through the point, as a clause. False: there is none. */
static bool forbid_circle(Graph *g, const uint32_t *place, uint32_t from) {
  size_t n = g->n;
  Rounds *r = g->r;
  uint32_t head = 0, tail = 0;
  bool found = false;
  memset(g->came_by, 0, n * sizeof *g->came_by);
  g->queue[tail++] = from;
  assert(!place[from]);
  while (head < tail && !found) {
    uint32_t a = g->queue[head++];
    for (uint32_t b = 0; b < n && !found; b++) {
      if (!g->edge[a * n + b] || place[b] || g->came_by[b]) continue;
      g->came_by[b] = a + 1;
      found = b == from;
      g->queue[tail++] = b;
    }
  }
  if (!found) return false;
  Term some = term_bool(r->t, false);
  uint32_t at = from;
  do {
    uint32_t before = g->came_by[at] - 1;
    some = term_or(r->t, some, unitorder_before(r, at, before));
    at = before;
  } while (at != from);
  solver_assert(r->solver, some);
  return true;
}

/* The units of the thread up to this one; those of its creator first. */
static void list_up_to(Rounds *r, uint32_t thread, uint32_t unit, uint32_t *next,
                       OrderedUnits *units) {
  if (thread && !next[thread])
    list_up_to(r, r->seq->threads.data[thread].creator, r->order->created_at[thread],
               next, units);
  assert(unit < r->threads[thread].units);
  for (; next[thread] <= unit; next[thread]++)
    vec_push(units, (uint64_t)thread << 32 | next[thread]);
}

/* Every unit, with those that have no point before the next that has one. */
static void list_units(Rounds *r, const Graph *g, const uint32_t *sorted,
                       OrderedUnits *units) {
  const UnitOrder *o = r->order;
  uint32_t *next = mem_alloc_zero((r->seq->threads.len + 1) * sizeof *next);
  for (uint32_t i = 0; i < g->n; i++) {
    Point p = o->points.data[sorted[i]];
    if (g->runs[sorted[i]] && p.thread < r->seq->threads.len)
      list_up_to(r, p.thread, p.unit, next, units);
  }
  for (uint32_t t = 0; t < r->seq->threads.len; t++)
    if (r->threads[t].units) list_up_to(r, t, r->threads[t].units - 1, next, units);
  mem_free(next);
}

bool unitorder_of_model(Rounds *r, OrderedUnits *units) {
  Graph g;
  graph_new(r, &g);
  uint32_t *place = mem_alloc_zero((g.n + 1) * sizeof *place);
  uint32_t *sorted = mem_alloc_zero((g.n + 1) * sizeof *sorted);
  bool good = sort(&g, place, sorted) == g.n;
  vec_clear(units);
  if (good) list_units(r, &g, sorted, units);
  uint32_t circles = 0;
  for (uint32_t a = 0; a < g.n && !good && circles < MOST_CIRCLES; a++)
    if (!place[a]) circles += forbid_circle(&g, place, a);
  mem_free(place);
  mem_free(sorted);
  graph_free(&g);
  return good;
}
