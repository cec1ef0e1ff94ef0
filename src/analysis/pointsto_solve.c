/* The solution by waves.
 *
 * In: the constraint graph. Out: sets that satisfy every constraint; the least ones, but for
 * what pointsto_memory.c and pointsto_walk.c round up.
 *
 * A wave (after Pereira and Berlin, "Wave Propagation and Deep Propagation for Pointer
 * Analysis", 2009) finds the cycles of copy edges among what the changed nodes reach and makes
 * each cycle one node; then it hands what is in each node to its successors, in topological
 * order; then every shift and use of a node sees its new locs, which adds edges and new locs
 * for the next wave. Each node knows what its shifts and uses have seen already.
 *
 * Cycles that contain shifts are pointers that walk over objects: see pointsto_walk.c. */
#include "analysis/pointsto_internal.h"

typedef VEC(NodeNo) NodeVec;

/* ---- Tarjan's algorithm ---- */

typedef struct {
  bool shifts; /* shifts by steps count as edges */
  NodeVec path, open, found;
  VEC(uint32_t) position; /* in the successors of the path's nodes */
  NodeVec order;          /* one node of each component, sources last */
  NodeVec members;        /* of components with several nodes: first, …, 0 */
} Search;

static void search_free(Search *t) {
  vec_free(&t->path);
  vec_free(&t->open);
  vec_free(&t->found);
  vec_free(&t->position);
  vec_free(&t->order);
  vec_free(&t->members);
}

/* Makes the copies of a node representatives, each once. */
static void tidy_copies(Solver *s, NodeNo node) {
  PtNode *n = &s->nodes.data[node];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n->copies.len; i++) {
    NodeNo to = pt_node_find(s, n->copies.data[i]);
    if (to == node || (kept && n->copies.data[kept - 1] == to)) continue;
    n->copies.data[kept++] = to;
  }
  n->copies.len = kept;
}

static void discover(Solver *s, Search *t, NodeNo node) {
  vec_push(&t->path, node);
  vec_push(&t->position, 0);
  vec_push(&t->open, node);
  vec_push(&t->found, node);
  s->index.data[node] = s->low.data[node] = t->found.len;
  s->open.data[node] = 1;
  if (!t->shifts) tidy_copies(s, node);
}

/* The next successor of the last node of the path, or 0. */
static NodeNo next_successor(Solver *s, Search *t) {
  const PtNode *n = &s->nodes.data[*vec_last(&t->path)];
  uint32_t i = (*vec_last(&t->position))++;
  if (i < n->copies.len) return pt_node_find(s, n->copies.data[i]);
  for (i -= n->copies.len; t->shifts && i < n->shifts.len; i++) {
    if (move_is_step(&s->moves.data[n->shifts.data[i].move]))
      return pt_node_find(s, n->shifts.data[i].to);
    ++*vec_last(&t->position);
  }
  return 0;
}

/* All of a component is on top of `open`, `node` lowest. */
static void close_component(Solver *s, Search *t, NodeNo node) {
  NodeNo member;
  bool several = *vec_last(&t->open) != node;
  do {
    member = vec_pop(&t->open);
    s->open.data[member] = 0;
    if (several || t->shifts) vec_push(&t->members, member);
  } while (member != node);
  if (several || t->shifts) vec_push(&t->members, 0);
  vec_push(&t->order, node);
}

static void visit(Solver *s, Search *t, NodeNo root) {
  discover(s, t, root);
  while (t->path.len) {
    NodeNo v = *vec_last(&t->path), to = next_successor(s, t);
    if (to && !s->index.data[to]) {
      discover(s, t, to);
    } else if (to) {
      if (s->open.data[to] && s->index.data[to] < s->low.data[v])
        s->low.data[v] = s->index.data[to];
    } else {
      (void)vec_pop(&t->path);
      (void)vec_pop(&t->position);
      if (t->path.len && s->low.data[v] < s->low.data[*vec_last(&t->path)])
        s->low.data[*vec_last(&t->path)] = s->low.data[v];
      if (s->low.data[v] == s->index.data[v]) close_component(s, t, v);
    }
  }
}

static void search(Solver *s, Search *t, const NodeVec *roots) {
  for (uint32_t i = 0; i < roots->len; i++) {
    NodeNo root = pt_node_find(s, roots->data[i]);
    if (!s->index.data[root]) visit(s, t, root);
  }
  for (uint32_t i = 0; i < t->found.len; i++) s->index.data[t->found.data[i]] = 0;
}

/* ---- one wave ---- */

static void merge_cycles(Solver *s, const Search *t) {
  for (uint32_t i = 0; i < t->members.len; i++) {
    NodeNo first = t->members.data[i];
    while (t->members.data[++i]) pt_node_unite(s, first, t->members.data[i]);
  }
}

/* Looks at all cycles with shifts. True when some shift has become a walk. */
static bool find_walks(Solver *s) {
  Search t = {.shifts = true};
  NodeVec roots = {0};
  for (NodeNo node = 1; node < s->nodes.len; node++)
    if (s->nodes.data[node].shifts.len) vec_push(&roots, node);
  search(s, &t, &roots);
  vec_free(&roots);
  size_t nodes = s->nodes.len;
  WalkSpace space = {.component = mem_alloc_zero(nodes * sizeof *space.component),
                     .placed = mem_alloc_zero(nodes),
                     .distance = mem_alloc_zero(nodes * sizeof *space.distance)};
  for (uint32_t i = 0; i < t.members.len; i++) {
    uint32_t first = i;
    while (t.members.data[i]) i++;
    pt_cycle_walks(s, &space, &t.members.data[first], i - first);
  }
  for (uint32_t i = 0; i < space.changed.len; i++) {
    NodeNo node = pt_node_find(s, space.changed.data[i].node);
    pt_shift_apply(s, space.changed.data[i].shift, s->nodes.data[node].done);
  }
  bool found = space.changed.len > 0;
  mem_free(space.component);
  mem_free(space.placed);
  mem_free(space.distance);
  vec_free(&space.changed);
  search_free(&t);
  return found;
}

typedef struct {
  NodeNo node;
  SetNo fresh;
} Pending;

typedef VEC(Pending) PendingVec;

static void propagate(Solver *s, NodeNo node, PendingVec *pending) {
  node = pt_node_find(s, node);
  pt_node_settle(s, node);
  PtNode *n = &s->nodes.data[node];
  if (n->set == n->done) return;
  for (uint32_t i = 0; i < n->copies.len; i++)
    pt_node_receive(s, pt_node_find(s, n->copies.data[i]), n->set);
  if (n->shifts.len || n->uses.len)
    vec_push(pending, (Pending){node, pt_sets_minus(&s->sets, n->set, n->done)});
  n->done = n->set;
}

/* Lists of shifts and uses may grow meanwhile; what is added sees `done` by itself. A node
 * may also be merged into another meanwhile: then all of the other's lists are due, for what
 * both had seen is not fresh there again. Doing a thing twice does no harm. */
static void apply_pending(Solver *s, const Pending *p) {
  NodeNo node = pt_node_find(s, p->node);
  uint32_t shift = 0, use = 0;
  while (!pt_poll_stop(s)) {
    NodeNo now = pt_node_find(s, node);
    if (now != node) {
      node = now;
      shift = use = 0;
    }
    const PtNode *n = &s->nodes.data[node];
    if (shift < n->shifts.len)
      pt_shift_apply(s, n->shifts.data[shift++], p->fresh);
    else if (use < n->uses.len)
      pt_use_set(s, n->uses.data[use++], p->fresh);
    else
      return;
  }
}

static void wave(Solver *s) {
  NodeVec roots = {0};
  for (uint32_t i = 0; i < s->queue.len; i++) {
    vec_push(&roots, s->queue.data[i]);
    s->nodes.data[s->queue.data[i]].queued = false;
  }
  vec_clear(&s->queue);
  Search t = {0};
  search(s, &t, &roots);
  merge_cycles(s, &t);
  PendingVec pending = {0};
  for (uint32_t i = t.order.len; i-- > 0 && !pt_poll_stop(s);)
    propagate(s, t.order.data[i], &pending);
  for (uint32_t i = 0; i < pending.len && !s->stopped; i++)
    apply_pending(s, &pending.data[i]);
  vec_free(&pending);
  vec_free(&roots);
  search_free(&t);
}

static bool is_busy(const Solver *s) {
  return s->queue.len || s->to_reach.len || s->to_open.len || s->new_words.len;
}

/* Walks are looked for ever more rarely, for the graph changes less and less, and at the end,
 * when nothing else changes any more. */
bool pt_solve(Solver *s) {
  uint32_t waves = 0, next = 1;
  do {
    while (is_busy(s) && !s->stopped) {
      while (s->to_open.len) pt_object_open(s, vec_pop(&s->to_open));
      while (s->to_reach.len && !pt_poll_stop(s))
        pt_function_constraints(s, vec_pop(&s->to_reach));
      pt_copy_pending_words(s);
      wave(s);
      if (++waves == next) {
        find_walks(s);
        next *= 2;
      }
    }
  } while (!s->stopped && (find_walks(s) || pt_numbers_resolve(s)));
  return !s->stopped;
}
