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

NodeNo node_new(Solver *s, uint32_t count) {
  NodeNo first = s->nodes.len;
  (void)vec_extend(&s->nodes, count);
  (void)vec_extend(&s->index, count);
  (void)vec_extend(&s->low, count);
  (void)vec_extend(&s->open, count);
  for (uint32_t i = 0; i < count; i++)
    s->nodes.data[first + i].parent = first + i;
  return first;
}

NodeNo node_find(Solver *s, NodeNo node) {
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

void node_add(Solver *s, NodeNo node, LocNo loc) {
  if (!node)
    return;
  node = node_find(s, node);
  PtNode *n = &s->nodes.data[node];
  if (!locset_has(&n->seen, loc) && locset_add(&n->fresh, loc))
    enqueue(s, node);
}

/* New for `to`: what `from` has handed on already. The rest follows by itself. */
static void hand_over(Solver *s, NodeNo from, NodeNo to) {
  PtNode *f = &s->nodes.data[from], *t = &s->nodes.data[to];
  if (locset_unite_without(&t->fresh, &f->seen, &t->seen))
    enqueue(s, to);
}

void node_copy(Solver *s, NodeNo from, NodeNo to) {
  if (!from || !to)
    return;
  from = node_find(s, from);
  to = node_find(s, to);
  if (from == to)
    return;
  uint64_t *known = map_at(&s->edges, pair_key(from, to));
  if (*known)
    return;
  *known = 1;
  vec_push(&s->nodes.data[from].copies, to);
  hand_over(s, from, to);
}

static uint32_t move_id(Solver *s, const Move *move) {
  uint64_t *slot = strmap_at(&s->move_ids, (const char *)move, sizeof *move);
  if (!*slot) {
    vec_push(&s->moves, *move);
    *slot = s->moves.len;
  }
  return (uint32_t)*slot - 1;
}

static void shift_set(Solver *s, const LocSet *locs, const Move *move, NodeNo to) {
  uint32_t loc;
  for (LocIter i = locset_begin(locs); locset_next(&i, &loc);)
    loc_move(s, loc, move, to);
}

static LocSet set_copy(const LocSet *set) {
  LocSet copy = {0};
  locset_unite(&copy, set);
  return copy;
}

void node_shift(Solver *s, NodeNo from, NodeNo to, const Move *move) {
  if (!from || !to)
    return;
  if (move->kind == MOVE_ADD && !move->add && !move->stride_count) {
    node_copy(s, from, to);
    return;
  }
  from = node_find(s, from);
  Shift shift = {to, move_id(s, move)};
  vec_push(&s->nodes.data[from].shifts, shift);
  LocSet seen = set_copy(&s->nodes.data[from].seen);
  shift_set(s, &seen, move, to);
  locset_free(&seen);
}

static void use_set(Solver *s, uint32_t use, const LocSet *locs) {
  uint32_t loc;
  for (LocIter i = locset_begin(locs); locset_next(&i, &loc) && !poll_stop(s);) {
    Use u = s->uses.data[use]; /* the table may move */
    use_apply(s, &u, loc_find(s, loc));
  }
}

void node_use(Solver *s, NodeNo address, Use use) {
  if (!address)
    return;
  address = node_find(s, address);
  vec_push(&s->uses, use);
  uint32_t id = s->uses.len - 1;
  vec_push(&s->nodes.data[address].uses, id);
  LocSet seen = set_copy(&s->nodes.data[address].seen);
  use_set(s, id, &seen);
  locset_free(&seen);
}

/* What both had seen, all successors and uses of the union have seen. */
void node_unite(Solver *s, NodeNo a, NodeNo b) {
  a = node_find(s, a);
  b = node_find(s, b);
  if (a == b)
    return;
  if (b < a) { /* the older one stays: the result does not depend on who asked */
    NodeNo swap = a;
    a = b;
    b = swap;
  }
  PtNode *x = &s->nodes.data[a], *y = &s->nodes.data[b];
  LocSet every = set_copy(&x->seen);
  locset_unite(&every, &x->fresh);
  locset_unite(&every, &y->seen);
  locset_unite(&every, &y->fresh);
  locset_meet(&x->seen, &y->seen);
  locset_free(&x->fresh);
  locset_unite_without(&x->fresh, &every, &x->seen);
  locset_free(&every);
  for (uint32_t i = 0; i < y->copies.len; i++)
    vec_push(&x->copies, y->copies.data[i]);
  for (uint32_t i = 0; i < y->shifts.len; i++)
    vec_push(&x->shifts, y->shifts.data[i]);
  for (uint32_t i = 0; i < y->uses.len; i++)
    vec_push(&x->uses, y->uses.data[i]);
  locset_free(&y->seen);
  locset_free(&y->fresh);
  vec_free(&y->copies);
  vec_free(&y->shifts);
  vec_free(&y->uses);
  y->parent = a;
  if (!locset_empty(&x->fresh))
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
    NodeNo to = node_find(s, n->copies.data[i]);
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
    NodeNo root = node_find(s, queue.data[i]);
    if (!s->index.data[root] && !locset_empty(&s->nodes.data[root].fresh))
      visit(s, t, root, &found, &merges);
  }
  for (uint32_t i = 0; i < t->next.len; i++)
    s->index.data[t->next.data[i]] = 0;
  for (uint32_t i = 0; i < merges.len; i += 2)
    node_unite(s, merges.data[i], merges.data[i + 1]);
  vec_free(&merges);
  vec_free(&queue);
}

typedef struct {
  NodeNo node;
  LocSet locs;
} Pending;

typedef VEC(Pending) PendingVec;

static void propagate(Solver *s, NodeNo node, PendingVec *pending) {
  node = node_find(s, node);
  LocSet fresh = s->nodes.data[node].fresh;
  if (locset_empty(&fresh))
    return;
  s->nodes.data[node].fresh = (LocSet){0};
  locset_unite(&s->nodes.data[node].seen, &fresh);
  PtNode *n = &s->nodes.data[node];
  for (uint32_t i = 0; i < n->copies.len; i++) {
    NodeNo to = node_find(s, n->copies.data[i]);
    PtNode *t = &s->nodes.data[to];
    if (to != node && locset_unite_without(&t->fresh, &fresh, &t->seen))
      enqueue(s, to);
  }
  if (n->shifts.len || n->uses.len)
    vec_push(pending, (Pending){node, fresh});
  else
    locset_free(&fresh);
}

/* Lists of shifts and uses may grow meanwhile; what is added sees `seen` by itself. A node
 * may also be merged into another meanwhile: then all of the other's lists are due, for what
 * both had seen is not fresh there again. Doing a thing twice does no harm. */
static void apply_pending(Solver *s, const Pending *p) {
  NodeNo node = node_find(s, p->node);
  uint32_t shift = 0, use = 0;
  while (!poll_stop(s)) {
    NodeNo now = node_find(s, node);
    if (now != node) {
      node = now;
      shift = use = 0;
    }
    const PtNode *n = &s->nodes.data[node];
    if (shift < n->shifts.len) {
      Shift next = n->shifts.data[shift++];
      Move move = s->moves.data[next.move];
      shift_set(s, &p->locs, &move, next.to);
    } else if (use < n->uses.len) {
      use_set(s, n->uses.data[use++], &p->locs);
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
  for (uint32_t i = 0; i < pending.len; i++) {
    if (!s->stopped)
      apply_pending(s, &pending.data[i]);
    locset_free(&pending.data[i].locs);
  }
  vec_free(&pending);
  vec_free(&t.path);
  vec_free(&t.open);
  vec_free(&t.order);
  vec_free(&t.next);
  vec_free(&t.position);
}

bool solve(Solver *s) {
  while ((s->queue.len || s->to_reach.len || s->to_open.len || s->new_words.len) &&
         !s->stopped) {
    while (s->to_open.len)
      object_open(s, vec_pop(&s->to_open));
    while (s->to_reach.len && !poll_stop(s))
      function_constraints(s, vec_pop(&s->to_reach));
    copy_pending_words(s);
    wave(s);
  }
  return !s->stopped;
}
