/* The graph of what a thread does in its context (the paper's abstract reachability graph).
 *
 * A point is what is seen of the thread: its local state and the shared state. A step of its own is
 * an edge from point to point. A step of somebody else changes the shared state only: both points
 * become one location, for the thread is where it was. So all points of a location have the same
 * local state, and its label, their shared states, is closed under what others do. Locations are
 * classes of a union-find. Threads that begin in the same local state begin at the same location, and
 * a part of a step (context_split.c) is one location. */
#include "engine/circ/context_internal.h"

#include <assert.h>

typedef struct {
  uint32_t local, shared;
  uint32_t parent; /* of the union-find */
} Point;

typedef struct {
  uint32_t from, to; /* points; to TTS_NONE: it ends */
  uint32_t step;
} PointEdge;

struct Graph {
  const Problem *p;
  Map numbers; /* local state and shared state: 1 + point */
  VEC(Point) points;
  Map known; /* edges */
  VEC(PointEdge) edges;
  uint32_t *starts; /* per local state: point or TTS_NONE */
  uint32_t *parts;  /* likewise, of parts of steps */
};

Graph *graph_new(const Problem *p) {
  Graph *g = mem_alloc_zero(sizeof *g);
  g->p = p;
  g->starts = mem_alloc((p->tts->locals.len + 1) * sizeof *g->starts);
  g->parts = mem_alloc((p->tts->locals.len + 1) * sizeof *g->parts);
  for (uint32_t i = 0; i < p->tts->locals.len; i++) g->starts[i] = g->parts[i] = TTS_NONE;
  return g;
}

void graph_free(Graph *g) {
  if (!g) return;
  map_free(&g->numbers);
  map_free(&g->known);
  vec_free(&g->points);
  vec_free(&g->edges);
  mem_free(g->starts);
  mem_free(g->parts);
  mem_free(g);
}

static uint32_t point_of(Graph *g, uint32_t local, uint32_t s) {
  assert(local < g->p->tts->locals.len);
  uint64_t *slot = map_at(&g->numbers, (uint64_t)local << 32 | s);
  if (!*slot) {
    *slot = g->points.len + 1;
    vec_push(&g->points, (Point){local, s, g->points.len});
    vec_last(&g->points)->parent = g->points.len - 1;
  }
  return (uint32_t)*slot - 1;
}

static uint32_t find(Graph *g, uint32_t point) {
  Point *points = g->points.data;
  while (points[point].parent != point) {
    points[point].parent = points[points[point].parent].parent;
    point = points[point].parent;
  }
  return point;
}

static void unite(Graph *g, uint32_t a, uint32_t b) {
  a = find(g, a), b = find(g, b);
  assert(g->points.data[a].local == g->points.data[b].local);
  if (a < b)
    g->points.data[b].parent = a;
  else
    g->points.data[a].parent = b;
}

void graph_step(Graph *g, uint32_t local, uint32_t s, uint32_t step, uint32_t after) {
  assert(g->p->tts->steps.data[step].from == local);
  uint32_t to = g->p->tts->steps.data[step].to;
  PointEdge e = {point_of(g, local, s), TTS_NONE, step};
  if (to != TTS_NONE) e.to = point_of(g, to, after);
  if (to != TTS_NONE && to >= g->p->original->locals.len) {
    if (g->parts[to] == TTS_NONE) g->parts[to] = e.to;
    unite(g, g->parts[to], e.to);
  }
  /* the step and the point that it is taken from tell the rest */
  uint64_t *slot = map_at(&g->known, (uint64_t)e.from << 32 | step);
  if (*slot) return;
  *slot = 1;
  vec_push(&g->edges, e);
}

void graph_unite(Graph *g, uint32_t local, uint32_t s, uint32_t after) {
  if (s != after) unite(g, point_of(g, local, s), point_of(g, local, after));
}

void graph_begin(Graph *g, uint32_t local, uint32_t s) {
  uint32_t point = point_of(g, local, s);
  if (g->starts[local] == TTS_NONE)
    g->starts[local] = point;
  else
    unite(g, g->starts[local], point);
}

void graph_finish(Graph *g, Acfa *ret) {
  const Problem *p = g->p;
  uint32_t *number = mem_alloc((g->points.len + 1) * sizeof *number);
  *ret = (Acfa){0};
  for (uint32_t i = 0; i < g->points.len; i++) {
    const Point *x = &g->points.data[i];
    uint32_t root = find(g, i); /* the smallest of its class: it was there before */
    assert(root <= i);
    if (root == i) {
      const TtsLocal *local = &p->tts->locals.data[x->local];
      number[i] = ret->locations.len;
      AcfaLocation location = {.label = set_new(&p->space),
                               .kind = local->kind,
                               .mark = p->marked[x->local] ? x->local : TTS_NONE,
                               .atomic = local->atomic,
                               .first_local = ret->locals.len,
                               .local_count = 1};
      vec_push(&ret->locals, x->local);
      vec_push(&ret->locations, location);
    }
    number[i] = number[root];
    set_add(ret->locations.data[number[i]].label, x->shared);
  }
  for (uint32_t i = 0; i < g->edges.len; i++) {
    const PointEdge *e = &g->edges.data[i];
    vec_push(&ret->edges,
             (AcfaEdge){number[e->from], e->to == TTS_NONE ? TTS_NONE : number[e->to],
                        p->step_writes[e->step], p->step_spawns[e->step]});
  }
  acfa_tidy(ret);
  for (uint32_t i = 0; i < p->tts->locals.len; i++)
    vec_push(&ret->starts, g->starts[i] == TTS_NONE ? TTS_NONE : number[g->starts[i]]);
  mem_free(number);
}
