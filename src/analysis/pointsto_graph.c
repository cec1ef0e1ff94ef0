/* The constraint graph and its solution by waves.
 *
 * In: nodes with fresh locs. Out: sets that satisfy every constraint; the least ones, but for
 * what pointsto_memory.c rounds up.
 *
 * A wave (after Pereira and Berlin, "Wave Propagation and Deep Propagation for Pointer
 * Analysis", 2009) finds the cycles of copy edges among what the changed nodes reach and makes
 * each cycle one node; then it hands what is new in each node to its successors, in
 * topological order; then every use of a node sees its new locs, which adds edges and new
 * locs for the next wave. Each node keeps apart what its successors and uses have seen
 * already, so only differences travel.
 *
 * Nodes and uses are handled in an order that depends on the program alone. */
#include "analysis/pointsto_internal.h"

enum { POLL_EVERY = 4096 };

static bool poll_stop(Solver *s) {
  if (++s->steps % POLL_EVERY == 0 && s->stop && *s->stop)
    s->stopped = true;
  return s->stopped;
}

/* ---- building ---- */

NodeNo pt_node_new(Solver *s, uint32_t count) {
  NodeNo first = s->nodes.len;
  (void)vec_extend(&s->nodes, count);
  (void)vec_extend(&s->index, count);
  (void)vec_extend(&s->low, count);
  (void)vec_extend(&s->open, count);
  for (uint32_t i = 0; i < count; i++)
    s->nodes.data[first + i].parent = first + i;
  return first;
}

NodeNo pt_node_find(Solver *s, NodeNo node) {
  PtNode *nodes = s->nodes.data;
  while (nodes[node].parent != node) {
    nodes[node].parent = nodes[nodes[node].parent].parent;
    node = nodes[node].parent;
  }
  return node;
}

static void enqueue(Solver *s, NodeNo node) {
  PtNode *n = &s->nodes.data[node];
  if (!n->queued) {
    n->queued = true;
    vec_push(&s->queue, node);
  }
}

/* `to` has at least `set`. */
static void receive(Solver *s, NodeNo to, SetNo set) {
  PtNode *t = &s->nodes.data[to];
  SetNo all = pt_sets_unite(&s->sets, t->set, set);
  if (all != t->set) {
    t->set = all;
    enqueue(s, to);
  }
}

void pt_node_add(Solver *s, NodeNo node, LocNo loc) {
  if (node)
    receive(s, pt_node_find(s, node), pt_sets_one(&s->sets, loc));
}

void pt_node_copy(Solver *s, NodeNo from, NodeNo to) {
  if (!from || !to)
    return;
  from = pt_node_find(s, from);
  to = pt_node_find(s, to);
  if (from == to)
    return;
  uint64_t *known = map_at(&s->edges, pair_key(from, to));
  if (*known)
    return;
  *known = 1;
  vec_push(&s->nodes.data[from].copies, to);
  receive(s, to, s->nodes.data[from].set);
}

static uint32_t move_id(Solver *s, const Move *move) {
  uint64_t *slot = strmap_at(&s->move_ids, (const char *)move, sizeof *move);
  if (!*slot) {
    vec_push(&s->moves, *move);
    *slot = s->moves.len;
  }
  return (uint32_t)*slot - 1;
}

/* The set after the move. Asked again, the answer is the same but for places that have become
 * one meanwhile, and whoever uses a set looks for those. */
static SetNo moved_set(Solver *s, SetNo set, uint32_t move) {
  uint64_t known = map_find(&s->moved_sets, pair_key(set, move), 0);
  if (known)
    return (SetNo)known - 1;
  LocSet moved = {0};
  bool part = s->moves.data[move].kind == MOVE_PART;
  SetSpan span = s->sets.spans.data[set];
  for (uint32_t i = 0; i < span.count; i++) {
    LocBlock block = s->sets.blocks.data[span.first + i];
    if (loc_is_any(block.key * 64) && !part)
      locset_add_block(&moved, block.key, block.bits); /* stays where it is */
    else
      for (; block.bits; block.bits &= block.bits - 1)
        pt_loc_move(s, block.key * 64 + (uint32_t)__builtin_ctzll(block.bits), move, &moved);
  }
  SetNo result = pt_sets_take(&s->sets, &moved);
  locset_free(&moved);
  map_put(&s->moved_sets, pair_key(set, move), (uint64_t)result + 1);
  return result;
}

static void shift_set(Solver *s, SetNo set, Shift shift) {
  SetNo moved = moved_set(s, set, shift.move);
  receive(s, pt_node_find(s, shift.to), moved);
}

void pt_node_shift(Solver *s, NodeNo from, NodeNo to, const Move *move) {
  if (!from || !to)
    return;
  if (move->kind == MOVE_ADD && !move->add && !move->stride_count) {
    pt_node_copy(s, from, to);
    return;
  }
  from = pt_node_find(s, from);
  Shift shift = {to, move_id(s, move)};
  vec_push(&s->nodes.data[from].shifts, shift);
  shift_set(s, s->nodes.data[from].done, shift);
}

static void use_locs(Solver *s, Use use, SetNo set) {
  LocNo loc;
  for (SetIter i = pt_sets_begin(set); pt_sets_next(&s->sets, &i, &loc) && !poll_stop(s);)
    pt_use_apply(s, &use, pt_loc_find(s, loc));
}

/* What is loaded from, or stored to, all places of a set is a node of its own (of copies: a
 * buffer). Many pointers have the same set: they share it, and its edges to memory. */
static uint64_t *shared_at(Solver *s, const Use *use, SetNo set) {
  uint64_t *first = map_at(&s->shared, pair_key(set, use->size));
  if (!*first) {
    *first = s->shared_ids.len + 1;
    (void)vec_extend(&s->shared_ids, USE_COPY_TO + 1);
  }
  return &s->shared_ids.data[*first - 1 + use->kind];
}

static void use_access(Solver *s, Use use, SetNo set) {
  uint32_t slots = slots_of(use.size * 8);
  uint64_t *known = shared_at(s, &use, set);
  NodeNo shared = (NodeNo)*known;
  if (!shared) {
    *known = shared = pt_node_new(s, slots);
    Use once = use;
    once.node = shared;
    use_locs(s, once, set);
  }
  for (uint32_t i = 0; i < slots; i++) {
    if (use.kind == USE_LOAD)
      pt_node_copy(s, shared + i, use.node + i);
    else
      pt_node_copy(s, use.node + i, shared + i);
  }
}

static void use_copy(Solver *s, Use use, SetNo set) {
  uint64_t *known = shared_at(s, &use, set);
  AObject shared = (AObject)*known;
  if (!shared) {
    *known = shared = pt_object_new(s, AOBJECT_BUFFER, 0, true, UINT32_MAX);
    Use once = use;
    once.object = shared;
    use_locs(s, once, set);
  }
  if (use.kind == USE_COPY_FROM)
    pt_copy_watch(s, shared, 0, use.size, use.object, 0);
  else
    pt_copy_watch(s, use.object, 0, use.size, shared, 0);
}

static void use_set(Solver *s, uint32_t id, SetNo set) {
  Use use = s->uses.data[id];
  bool access = use.kind == USE_LOAD || use.kind == USE_STORE;
  bool copy = use.kind == USE_COPY_FROM || use.kind == USE_COPY_TO;
  if ((!access && !copy) || pt_sets_is_one(&s->sets, set))
    use_locs(s, use, set);
  else if (access)
    use_access(s, use, set);
  else
    use_copy(s, use, set);
}

void pt_node_use(Solver *s, NodeNo address, Use use) {
  if (!address)
    return;
  address = pt_node_find(s, address);
  vec_push(&s->uses, use);
  uint32_t id = s->uses.len - 1;
  vec_push(&s->nodes.data[address].uses, id);
  if (s->nodes.data[address].done)
    use_set(s, id, s->nodes.data[address].done);
}

/* What both had done, all successors and uses of the union have seen. */
void pt_node_unite(Solver *s, NodeNo a, NodeNo b) {
  a = pt_node_find(s, a);
  b = pt_node_find(s, b);
  if (a == b)
    return;
  if (b < a) { /* the older one stays: the result does not depend on who asked */
    NodeNo swap = a;
    a = b;
    b = swap;
  }
  PtNode *x = &s->nodes.data[a], *y = &s->nodes.data[b];
  x->done = pt_sets_minus(&s->sets, x->done, pt_sets_minus(&s->sets, x->done, y->done));
  x->set = pt_sets_unite(&s->sets, x->set, y->set);
  for (uint32_t i = 0; i < y->copies.len; i++)
    vec_push(&x->copies, y->copies.data[i]);
  for (uint32_t i = 0; i < y->shifts.len; i++)
    vec_push(&x->shifts, y->shifts.data[i]);
  for (uint32_t i = 0; i < y->uses.len; i++)
    vec_push(&x->uses, y->uses.data[i]);
  vec_free(&y->copies);
  vec_free(&y->shifts);
  vec_free(&y->uses);
  y->parent = a;
  if (x->set != x->done)
    enqueue(s, a);
}

/* ---- one wave ---- */

typedef VEC(NodeNo) NodeVec;

typedef struct {
  NodeVec path, open, order, next;
  VEC(uint32_t) position; /* in the copies of the path's nodes */
} Search;

/* Makes the copies of a node representatives, each once. */
static void tidy_copies(Solver *s, NodeNo node) {
  PtNode *n = &s->nodes.data[node];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n->copies.len; i++) {
    NodeNo to = pt_node_find(s, n->copies.data[i]);
    if (to == node || (kept && n->copies.data[kept - 1] == to))
      continue;
    n->copies.data[kept++] = to;
  }
  n->copies.len = kept;
}

/* All of a component is on top of `open`, `node` lowest. */
static void close_component(Solver *s, Search *t, NodeNo node, NodeVec *merges) {
  NodeNo member;
  do {
    member = vec_pop(&t->open);
    s->open.data[member] = 0;
    if (member != node) {
      vec_push(merges, member);
      vec_push(merges, node);
    }
  } while (member != node);
  vec_push(&t->order, node);
}

static void visit(Solver *s, Search *t, NodeNo root, uint32_t *found, NodeVec *merges) {
  vec_push(&t->path, root);
  vec_push(&t->position, 0);
  while (t->path.len) {
    NodeNo v = *vec_last(&t->path);
    uint32_t *at = vec_last(&t->position);
    if (*at == 0) {
      s->index.data[v] = s->low.data[v] = ++*found;
      s->open.data[v] = 1;
      vec_push(&t->open, v);
      vec_push(&t->next, v);
      tidy_copies(s, v);
    }
    const PtNode *n = &s->nodes.data[v];
    if ((*at)++ < n->copies.len) {
      NodeNo to = n->copies.data[*at - 1];
      if (!s->index.data[to]) {
        vec_push(&t->path, to);
        vec_push(&t->position, 0);
      } else if (s->open.data[to] && s->index.data[to] < s->low.data[v]) {
        s->low.data[v] = s->index.data[to];
      }
      continue;
    }
    (void)vec_pop(&t->path);
    (void)vec_pop(&t->position);
    if (t->path.len && s->low.data[v] < s->low.data[*vec_last(&t->path)])
      s->low.data[*vec_last(&t->path)] = s->low.data[v];
    if (s->low.data[v] == s->index.data[v])
      close_component(s, t, v, merges);
  }
}

/* The nodes that changes can reach, sources first, cycles made one. */
static void order_nodes(Solver *s, Search *t) {
  NodeVec merges = {0};
  uint32_t found = 0;
  NodeVec queue = {0};
  for (uint32_t i = 0; i < s->queue.len; i++)
    vec_push(&queue, s->queue.data[i]);
  vec_clear(&s->queue);
  for (uint32_t i = 0; i < queue.len; i++)
    s->nodes.data[queue.data[i]].queued = false;
  for (uint32_t i = 0; i < queue.len; i++) {
    NodeNo root = pt_node_find(s, queue.data[i]);
    if (!s->index.data[root] && s->nodes.data[root].set != s->nodes.data[root].done)
      visit(s, t, root, &found, &merges);
  }
  for (uint32_t i = 0; i < t->next.len; i++)
    s->index.data[t->next.data[i]] = 0;
  for (uint32_t i = 0; i < merges.len; i += 2)
    pt_node_unite(s, merges.data[i], merges.data[i + 1]);
  vec_free(&merges);
  vec_free(&queue);
}

typedef struct {
  NodeNo node;
  SetNo fresh;
} Pending;

typedef VEC(Pending) PendingVec;

static void propagate(Solver *s, NodeNo node, PendingVec *pending) {
  node = pt_node_find(s, node);
  PtNode *n = &s->nodes.data[node];
  if (n->set == n->done)
    return;
  for (uint32_t i = 0; i < n->copies.len; i++)
    receive(s, pt_node_find(s, n->copies.data[i]), n->set);
  if (n->shifts.len || n->uses.len)
    vec_push(pending, (Pending){node, pt_sets_minus(&s->sets, n->set, n->done)});
  n->done = n->set;
}

/* Lists of shifts and uses may grow meanwhile; what is added sees `seen` by itself. A node
 * may also be merged into another meanwhile: then all of the other's lists are due, for what
 * both had seen is not fresh there again. Doing a thing twice does no harm. */
static void apply_pending(Solver *s, const Pending *p) {
  NodeNo node = pt_node_find(s, p->node);
  uint32_t shift = 0, use = 0;
  while (!poll_stop(s)) {
    NodeNo now = pt_node_find(s, node);
    if (now != node) {
      node = now;
      shift = use = 0;
    }
    const PtNode *n = &s->nodes.data[node];
    if (shift < n->shifts.len) {
      shift_set(s, p->fresh, n->shifts.data[shift++]);
    } else if (use < n->uses.len) {
      use_set(s, n->uses.data[use++], p->fresh);
    } else {
      return;
    }
  }
}

static void wave(Solver *s) {
  Search t = {0};
  order_nodes(s, &t);
  PendingVec pending = {0};
  for (uint32_t i = t.order.len; i-- > 0 && !poll_stop(s);)
    propagate(s, t.order.data[i], &pending);
  for (uint32_t i = 0; i < pending.len && !s->stopped; i++)
    apply_pending(s, &pending.data[i]);
  vec_free(&pending);
  vec_free(&t.path);
  vec_free(&t.open);
  vec_free(&t.order);
  vec_free(&t.next);
  vec_free(&t.position);
}

bool pt_solve(Solver *s) {
  while ((s->queue.len || s->to_reach.len || s->to_open.len || s->new_words.len) &&
         !s->stopped) {
    while (s->to_open.len)
      pt_object_open(s, vec_pop(&s->to_open));
    while (s->to_reach.len && !poll_stop(s))
      pt_function_constraints(s, vec_pop(&s->to_reach));
    pt_copy_pending_words(s);
    wave(s);
  }
  return !s->stopped;
}
