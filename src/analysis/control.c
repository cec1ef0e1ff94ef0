/* See control.h. Post-dominators by the iterative algorithm of Cooper, Harvey and Kennedy on the
 * reversed graph, with one more node as the common end. Nodes from which no end is reached are
 * joined to it as well, so that every node has a way there. Loops are the strongly connected
 * components of the graph (Tarjan), and again those of each without its header. */
#include "analysis/control.h"

#include "base/mem.h"
#include "base/vec.h"

#include <assert.h>
#include <string.h>

typedef VEC(uint32_t) Numbers;

typedef struct {
  const Program *p;
  const Function *f;
  uint32_t n;      /* nodes; n itself is the common end */
  Numbers *before; /* predecessors in the graph, by node; of n: the nodes that end */
  uint32_t *rank;  /* by node: place in the reverse post-order of the reversed graph */
  uint32_t *order; /* the inverse */
  uint32_t *above; /* immediate post-dominator */
  uint8_t *joined; /* by node: it reaches no end, and is joined to the common one */
  uint32_t ranked;
} Graph;

enum { NOWHERE = UINT32_MAX };

/* Successors of a node; n where it ends. */
static uint32_t successors(const Graph *g, uint32_t node, Numbers *out) {
  NodeId id = g->f->first_node + node;
  vec_clear(out);
  for (EdgeId e = node_first_edge(g->p, id); e < node_end_edge(g->p, id); e++) {
    NodeId to = program_edge(g->p, e)->to;
    vec_push(out, to ? to - g->f->first_node : g->n);
  }
  if (!out->len) vec_push(out, g->n);
  return out->len;
}

/* Depth first over predecessors, from the end. */
static void rank_from(Graph *g, uint32_t root, uint32_t *next, uint8_t *seen) {
  VEC(uint64_t) stack = {0}; /* node << 32 | next predecessor */
  if (seen[root]) return;
  seen[root] = 1;
  vec_push(&stack, (uint64_t)root << 32);
  while (stack.len) {
    uint64_t *top = vec_last(&stack);
    uint32_t node = (uint32_t)(*top >> 32), i = (uint32_t)*top;
    if (i < g->before[node].len) {
      ++*top;
      uint32_t to = g->before[node].data[i];
      if (!seen[to]) {
        seen[to] = 1;
        vec_push(&stack, (uint64_t)to << 32);
      }
      continue;
    }
    g->rank[node] = *next;
    g->order[(*next)++] = node;
    (void)vec_pop(&stack);
  }
  vec_free(&stack);
}

/* Post-order numbers: the end gets the highest. Nodes that reach no end are joined to it first. */
static void rank_all(Graph *g) {
  uint8_t *seen = mem_alloc_zero(g->n + 1);
  uint32_t next = 0;
  rank_from(g, g->n, &next, seen);
  bool lost = false;
  for (uint32_t i = 0; i < g->n; i++)
    if (!seen[i]) {
      vec_push(&g->before[g->n], i);
      g->joined[i] = 1;
      lost = true;
    }
  if (lost) {
    memset(seen, 0, g->n + 1);
    next = 0;
    rank_from(g, g->n, &next, seen);
  }
  g->ranked = next;
  assert(g->ranked == g->n + 1); /* every node has a way to the end */
  mem_free(seen);
}

static uint32_t meet(const Graph *g, uint32_t a, uint32_t b) {
  while (a != b) {
    while (g->rank[a] < g->rank[b]) a = g->above[a];
    while (g->rank[b] < g->rank[a]) b = g->above[b];
  }
  return a;
}

static void find_post_dominators(Graph *g) {
  Numbers next = {0};
  for (uint32_t i = 0; i <= g->n; i++) g->above[i] = NOWHERE;
  g->above[g->n] = g->n;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = g->ranked - 1; r-- > 0;) {
      uint32_t node = g->order[r], best = g->joined[node] ? g->n : NOWHERE;
      successors(g, node, &next);
      for (uint32_t i = 0; i < next.len; i++) {
        uint32_t to = next.data[i];
        if (g->above[to] == NOWHERE) continue;
        best = best == NOWHERE ? to : meet(g, best, to);
      }
      if (best == g->above[node]) continue;
      g->above[node] = best;
      changed = true;
    }
  }
  for (uint32_t i = 0; i <= g->n; i++) assert(g->above[i] != NOWHERE);
  vec_free(&next);
}

static void note_branch(const Graph *g, uint32_t branch, uint32_t to, Numbers *of) {
  for (uint32_t node = to; node != g->n && node != g->above[branch];
       node = g->above[node]) {
    Numbers *list = &of[node];
    if (!list->len || *vec_last(list) != branch) vec_push(list, branch);
    if (g->above[node] == node) break;
  }
}

static void find_branches(const Graph *g, NodeList *out, Arena *arena) {
  Numbers *of = mem_alloc_zero((g->n + 1) * sizeof *of), next = {0};
  for (uint32_t node = 0; node < g->n; node++)
    if (successors(g, node, &next) > 1)
      for (uint32_t i = 0; i < next.len; i++)
        if (next.data[i] != g->n) note_branch(g, node, next.data[i], of);
  for (uint32_t node = 0; node < g->n; node++) {
    out[node].count = of[node].len;
    out[node].nodes =
        arena_dup(arena, of[node].data, of[node].len * sizeof *of[node].data);
    vec_free(&of[node]);
  }
  vec_free(&next);
  mem_free(of);
}

/* ---- loops ---- */

typedef VEC(NodeList) Loops;

typedef struct {
  const Graph *g;
  uint32_t *region; /* by node: the set that is looked at now; a node left out has none */
  uint32_t *index, *low;
  uint8_t *on_stack;
  Numbers stack;
  uint32_t next, regions;
  Loops *loops;
  Arena *arena;
} Tarjan;

typedef struct {
  uint32_t node, edge;
} Visit;

/* A component that is a loop is kept, and becomes a region of its own. */
static void close_component(Tarjan *t, uint32_t root) {
  Numbers members = {0}, next = {0};
  uint32_t node;
  do {
    node = vec_pop(&t->stack);
    t->on_stack[node] = 0;
    vec_push(&members, node);
  } while (node != root);
  bool loop = members.len > 1;
  successors(t->g, root, &next);
  for (uint32_t i = 0; i < next.len; i++) loop = loop || next.data[i] == root;
  if (loop) {
    const uint32_t *nodes =
        arena_dup(t->arena, members.data, members.len * sizeof *members.data);
    vec_push(t->loops, ((NodeList){nodes, members.len}));
  }
  vec_free(&members);
  vec_free(&next);
}

static void enter(Tarjan *t, uint32_t node) {
  t->index[node] = t->low[node] = ++t->next;
  vec_push(&t->stack, node);
  t->on_stack[node] = 1;
}

static void visit_component(Tarjan *t, uint32_t root, uint32_t region) {
  VEC(Visit) path = {0};
  Numbers next = {0};
  enter(t, root);
  vec_push(&path, ((Visit){root, 0}));
  while (path.len) {
    Visit *v = vec_last(&path);
    uint32_t node = v->node;
    if (v->edge < successors(t->g, node, &next)) {
      uint32_t to = next.data[v->edge++];
      if (to == t->g->n || t->region[to] != region) continue;
      if (!t->index[to]) {
        enter(t, to);
        vec_push(&path, ((Visit){to, 0}));
      } else if (t->on_stack[to] && t->index[to] < t->low[node]) {
        t->low[node] = t->index[to];
      }
      continue;
    }
    (void)vec_pop(&path);
    if (path.len && t->low[node] < t->low[vec_last(&path)->node])
      t->low[vec_last(&path)->node] = t->low[node];
    if (t->low[node] == t->index[node]) close_component(t, node);
  }
  vec_free(&path);
  vec_free(&next);
}

/* Where the loop is entered from outside, or anywhere. */
static uint32_t header_of(const Tarjan *t, const NodeList *loop, uint32_t region) {
  for (uint32_t i = 0; i < loop->count; i++) {
    const Numbers *before = &t->g->before[loop->nodes[i]];
    for (uint32_t k = 0; k < before->len; k++)
      if (t->region[before->data[k]] != region) return loop->nodes[i];
  }
  return loop->nodes[0];
}

/* Loops inside of a loop are those that are left when its header is taken away. */
static void find_loops(const Graph *g, Loops *loops, Arena *arena) {
  Tarjan t = {.g = g, .loops = loops, .arena = arena};
  t.region = mem_alloc_zero((g->n + 1) * sizeof *t.region);
  t.index = mem_alloc_zero((g->n + 1) * sizeof *t.index);
  t.low = mem_alloc_zero((g->n + 1) * sizeof *t.low);
  t.on_stack = mem_alloc_zero(g->n + 1);
  for (uint32_t i = 0; i < g->n; i++)
    if (!t.index[i]) visit_component(&t, i, 0);
  for (uint32_t k = 0; k < loops->len; k++) { /* it grows meanwhile */
    NodeList loop = loops->data[k];
    uint32_t region = ++t.regions;
    for (uint32_t i = 0; i < loop.count; i++) t.region[loop.nodes[i]] = region;
    t.region[header_of(&t, &loop, region)] = NOWHERE;
    for (uint32_t i = 0; i < loop.count; i++) t.index[loop.nodes[i]] = 0;
    for (uint32_t i = 0; i < loop.count; i++)
      if (!t.index[loop.nodes[i]] && t.region[loop.nodes[i]] == region)
        visit_component(&t, loop.nodes[i], region);
  }
  mem_free(t.region);
  mem_free(t.index);
  mem_free(t.low);
  mem_free(t.on_stack);
  vec_free(&t.stack);
}

Control *control_new(const Program *p, const Function *f, Arena *arena) {
  Graph g = {.p = p, .f = f, .n = f->node_count};
  Numbers next = {0};
  g.before = mem_alloc_zero((g.n + 1) * sizeof *g.before);
  g.rank = mem_alloc_zero((g.n + 1) * sizeof *g.rank);
  g.order = mem_alloc_zero((g.n + 1) * sizeof *g.order);
  g.above = mem_alloc_zero((g.n + 1) * sizeof *g.above);
  g.joined = mem_alloc_zero(g.n + 1);
  for (uint32_t i = 0; i < g.n; i++) {
    successors(&g, i, &next);
    for (uint32_t k = 0; k < next.len; k++) vec_push(&g.before[next.data[k]], i);
  }
  rank_all(&g);
  find_post_dominators(&g);
  Control *c = arena_alloc_zero(arena, sizeof *c);
  c->function = f;
  c->of = arena_alloc_zero(arena, (g.n + 1) * sizeof *c->of);
  Loops loops = {0};
  find_branches(&g, c->of, arena);
  find_loops(&g, &loops, arena);
  c->loops = arena_dup(arena, loops.data, loops.len * sizeof *loops.data);
  c->loop_count = loops.len;
  vec_free(&loops);
  for (uint32_t i = 0; i <= g.n; i++) vec_free(&g.before[i]);
  mem_free(g.before);
  mem_free(g.rank);
  mem_free(g.order);
  mem_free(g.above);
  mem_free(g.joined);
  vec_free(&next);
  return c;
}
