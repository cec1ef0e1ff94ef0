/* The constraint graph: nodes, edges, and what happens when a set arrives at them.
 *
 * Nodes and uses are handled in an order that depends on the program alone. Sets are values
 * (pointsto_set.h), so whatever was done for one set, a shift or the edges between memory and
 * a load or store, is found again by all other nodes that have it. */
#include "analysis/pointsto_internal.h"

#include <assert.h>

/* Looking costs nothing beside any step, and single steps over large sets take long. */
bool pt_poll_stop(Solver *s) {
  if (s->stop && *s->stop) s->stopped = true;
  return s->stopped;
}

/* ---- building ---- */

NodeNo pt_node_new(Solver *s, uint32_t count) {
  NodeNo first = s->nodes.len;
  (void)vec_extend(&s->nodes, count);
  (void)vec_extend(&s->index, count);
  (void)vec_extend(&s->low, count);
  (void)vec_extend(&s->open, count);
  for (uint32_t i = 0; i < count; i++) s->nodes.data[first + i].parent = first + i;
  assert(s->index.len == s->nodes.len && s->low.len == s->nodes.len &&
         s->open.len == s->nodes.len);
  return first;
}

NodeNo pt_node_find(Solver *s, NodeNo node) {
  PtNode *nodes = s->nodes.data;
  assert(node && node < s->nodes.len);
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

/* Sets that arrive wait in the inbox until the node is looked at, and are united all at once:
 * each union is kept for good, and where hundreds of pointers meet, hundreds of unions on the
 * way to the last one would fill the memory. */
void pt_node_receive(Solver *s, NodeNo to, SetNo set) {
  PtNode *t = &s->nodes.data[to];
  assert(t->parent == to);
  if (!set || set == t->set || (t->inbox.len && *vec_last(&t->inbox) == set)) return;
  vec_push(&t->inbox, set);
  enqueue(s, to);
}

void pt_node_settle(Solver *s, NodeNo node) {
  PtNode *n = &s->nodes.data[node];
  if (!n->inbox.len) return;
  vec_push(&n->inbox, n->set);
  n->set = pt_sets_unite_all(&s->sets, n->inbox.data, n->inbox.len);
  vec_free(&n->inbox);
}

void pt_node_add(Solver *s, NodeNo node, LocNo loc) {
  if (node) pt_node_receive(s, pt_node_find(s, node), pt_sets_one(&s->sets, loc));
}

void pt_node_copy(Solver *s, NodeNo from, NodeNo to) {
  if (!from || !to) return;
  from = pt_node_find(s, from);
  to = pt_node_find(s, to);
  if (from == to) return;
  uint64_t *known = map_at(&s->edges, pair_key(from, to));
  if (*known) return;
  *known = 1;
  vec_push(&s->nodes.data[from].copies, to);
  pt_node_receive(s, to, s->nodes.data[from].set);
}

uint32_t pt_move_id(Solver *s, const Move *move) {
  assert(move->stride_count <= MOVE_STRIDES);
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
  if (known) return (SetNo)known - 1;
  LocSet moved = {0};
  bool part = s->moves.data[move].kind == MOVE_PART;
  SetSpan span = s->sets.spans.data[set];
  for (uint32_t i = 0; i < span.count; i++) {
    LocBlock block = s->sets.blocks.data[span.first + i];
    if (loc_is_any(block.key * 64) && !part)
      locset_add_block(&moved, block.key, block.bits); /* stays where it is */
    else
      for (; block.bits; block.bits &= block.bits - 1)
        pt_loc_move(s, block.key * 64 + (uint32_t)__builtin_ctzll(block.bits), move,
                    &moved);
  }
  SetNo result = pt_sets_take(&s->sets, &moved);
  locset_free(&moved);
  map_put(&s->moved_sets, pair_key(set, move), (uint64_t)result + 1);
  return result;
}

void pt_shift_apply(Solver *s, Shift shift, SetNo set) {
  SetNo moved = moved_set(s, set, shift.move);
  pt_node_receive(s, pt_node_find(s, shift.to), moved);
}

void pt_node_shift(Solver *s, NodeNo from, NodeNo to, const Move *move) {
  if (!from || !to) return;
  if (move->kind == MOVE_ADD && !move->add && !move->stride_count) {
    pt_node_copy(s, from, to);
    return;
  }
  from = pt_node_find(s, from);
  Shift shift = {to, pt_move_id(s, move)};
  vec_push(&s->nodes.data[from].shifts, shift);
  pt_shift_apply(s, shift, s->nodes.data[from].done);
}

static void use_locs(Solver *s, Use use, SetNo set) {
  LocNo loc;
  for (SetIter i = pt_sets_begin(set);
       pt_sets_next(&s->sets, &i, &loc) && !pt_poll_stop(s);)
    pt_use_apply(s, &use, pt_loc_find(s, loc));
}

/* What is loaded from, or stored to, all places of a set is a node of its own (of copies: a
 * buffer). Many pointers have the same set: they share it, and its edges to memory. */
static uint64_t *shared_at(Solver *s, const Use *use, SetNo set) {
  assert(use->kind <= USE_COPY_TO);
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

void pt_use_set(Solver *s, uint32_t id, SetNo set) {
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
  if (!address) return;
  address = pt_node_find(s, address);
  vec_push(&s->uses, use);
  uint32_t id = s->uses.len - 1;
  vec_push(&s->nodes.data[address].uses, id);
  if (s->nodes.data[address].done) pt_use_set(s, id, s->nodes.data[address].done);
}

/* What both had done, all successors and uses of the union have seen. */
void pt_node_unite(Solver *s, NodeNo a, NodeNo b) {
  a = pt_node_find(s, a);
  b = pt_node_find(s, b);
  if (a == b) return;
  if (b < a) { /* the older one stays: the result does not depend on who asked */
    NodeNo swap = a;
    a = b;
    b = swap;
  }
  PtNode *x = &s->nodes.data[a], *y = &s->nodes.data[b];
  x->done = pt_sets_minus(&s->sets, x->done, pt_sets_minus(&s->sets, x->done, y->done));
  vec_push(&x->inbox, y->set);
  for (uint32_t i = 0; i < y->inbox.len; i++) vec_push(&x->inbox, y->inbox.data[i]);
  vec_free(&y->inbox);
  for (uint32_t i = 0; i < y->copies.len; i++) vec_push(&x->copies, y->copies.data[i]);
  for (uint32_t i = 0; i < y->shifts.len; i++) vec_push(&x->shifts, y->shifts.data[i]);
  for (uint32_t i = 0; i < y->uses.len; i++) vec_push(&x->uses, y->uses.data[i]);
  vec_free(&y->copies);
  vec_free(&y->shifts);
  vec_free(&y->uses);
  assert(x->parent == a && y->parent == b);
  y->parent = a;
  enqueue(s, a);
}
