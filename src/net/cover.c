/* See cover.h.
 *
 * A node is a marking with NET_OMEGA where any number of tokens can be had. A child is
 * made by firing a transition; then, for each ancestor that is below the result, what has
 * grown since becomes omega (the way from there to here is a loop that can be repeated);
 * then every single transition that only adds is repeated in the same way, so that
 * threads which move on without touching what they share cost no nodes. A child below a
 * known node is dropped, and a node is not expanded when a greater one came meanwhile.
 *
 * Invariants:
 * 1. Every marking below a node is coverable.
 * 2. When the queue is empty, each successor of a node is below a node: a node is either
 *    expanded, or below a strictly greater one, and of those there is no infinite chain.
 * So the nodes are a proof when none of them is above a target.
 *
 * The loops are kept with the node, each with the tokens that the places it fills had
 * before. A run is made from the end: the demand, at first a target, goes back through
 * the transitions; where it is more than a place had before the loop that filled it, the
 * loop is gone through once more. A loop is only made of what was there before it, so
 * this ends.
 *
 * A transfer moves all there is, so that what has grown does not grow by as much again:
 * a way with a transfer in it is no loop here. Then the tree may have no end. */
#include "net/cover.h"

#include "base/heap.h"
#include "base/mem.h"
#include "net/basis.h"
#include "net/cursor.h"

#include <assert.h>
#include <stdlib.h>

enum {
  CLOCK_EVERY = 32,
  MOST_STEPS = 4000000, /* of a run that is still worth writing down */
  MOST_NESTING = 5000,  /* of loops within loops */
};

typedef struct {
  uint32_t start, len; /* in `tokens` */
  uint32_t parent, transition;
  uint32_t loops, loops_len; /* in `loops`, in the order they were found */
  uint32_t omegas;
  bool below; /* a greater node came: it is not expanded */
  uint64_t signature;
} Node;

typedef struct {
  uint32_t from;        /* the ancestor that it starts at; NET_NONE: one transition */
  uint32_t transition;  /* that one */
  uint32_t places, len; /* in `filled`: the places that become omega, and their tokens */
} Loop;

typedef struct {
  uint32_t place, before;
} Change;

struct Cover {
  const Net *net;
  const NetLimits *limits;
  VEC(Tokens) tokens, filled;
  VEC(Node) nodes;
  VEC(Loop) loops;
  Numbers *holding; /* per place: the nodes with tokens there */
  Heap rich, wide;  /* nodes to expand: most omegas first, oldest first */
  bool turn;
  VEC(uint8_t) expanded; /* per node */
  uint64_t cost;
  uint32_t target;
  Numbers path;     /* the run, once there is one */
  Marking first;    /* tokens that it needs where any number is there */
  uint32_t current; /* the node being expanded, or NET_NONE */
  Cursor cursor;    /* how far that has come: a large one takes many turns */
  /* Transitions with transfers that take from no place. Those without were repeated. */
  Numbers sources;
  /* the marking at hand: the node's, dense, and what was changed since */
  uint32_t *marking, *other;
  Marking here, next;
  VEC(Change) changes;
  Numbers work;
  uint64_t signature;
};

Cover *cover_new(const Net *net, const NetLimits *limits) {
  uint32_t places = net->place_names.len;
  if (places == 0 || net->transitions.len == 0 || net->targets.len == 0) return NULL;
  Cover *c = mem_alloc_zero(sizeof *c);
  c->net = net;
  c->limits = limits;
  c->holding = mem_alloc_zero(places * sizeof *c->holding);
  c->marking = mem_alloc_zero(places * sizeof(uint32_t));
  c->other = mem_alloc_zero(places * sizeof(uint32_t));
  c->current = NET_NONE;
  for (uint32_t t = 0; t < net->transitions.len; t++)
    if (net->transitions.data[t].pre_len == 0 && net->transitions.data[t].transfer_len)
      vec_push(&c->sources, t);
  return c;
}

void cover_free(Cover *c) {
  if (!c) return;
  for (uint32_t p = 0; p < c->net->place_names.len; p++) vec_free(&c->holding[p]);
  mem_free(c->holding), mem_free(c->marking), mem_free(c->other);
  vec_free(&c->tokens), vec_free(&c->filled), vec_free(&c->nodes), vec_free(&c->loops);
  vec_free(&c->rich), vec_free(&c->wide), vec_free(&c->expanded), vec_free(&c->path),
      vec_free(&c->first);
  vec_free(&c->here), vec_free(&c->next), vec_free(&c->changes), vec_free(&c->work);
  vec_free(&c->sources);
  mem_free(c);
}

static MarkingView view(const Cover *c, uint32_t node) {
  const Node *x = &c->nodes.data[node];
  return (MarkingView){c->tokens.data + x->start, x->len};
}

static uint64_t bit(uint32_t place) {
  return UINT64_C(1) << (place * 0x9e3779b1u >> 26);
}

static uint64_t signature_of(MarkingView m) {
  uint64_t bits = 0;
  for (uint32_t i = 0; i < m.len; i++) bits |= bit(m.at[i].place);
  return bits;
}

/* ---- the marking at hand ---------------------------------------------------------- */

static void set(Cover *c, uint32_t place, uint32_t count) {
  vec_push(&c->changes, (Change){place, c->marking[place]});
  c->marking[place] = count;
}

static void undo(Cover *c) {
  while (c->changes.len > 0) {
    Change last = vec_pop(&c->changes);
    c->marking[last.place] = last.before;
  }
}

static bool is_enabled(const Cover *c, uint32_t t) {
  MarkingView pre = net_pre(c->net, t);
  for (uint32_t i = 0; i < pre.len; i++)
    if (c->marking[pre.at[i].place] < pre.at[i].count) return false;
  return true;
}

typedef struct {
  bool gains, loses; /* in places without omega */
} Effect;

static Effect effect_of(const Cover *c, uint32_t t) {
  MarkingView pre = net_pre(c->net, t), post = net_post(c->net, t);
  Effect effect = {false, false};
  for (uint32_t i = 0, j = 0; i < pre.len || j < post.len;) {
    bool takes = i < pre.len && (j == post.len || pre.at[i].place <= post.at[j].place);
    bool gives = j < post.len && (i == pre.len || post.at[j].place <= pre.at[i].place);
    uint32_t place = takes ? pre.at[i].place : post.at[j].place;
    uint32_t less = takes ? pre.at[i++].count : 0, more = gives ? post.at[j++].count : 0;
    if (c->marking[place] == NET_OMEGA) continue;
    effect.gains = effect.gains || more > less;
    effect.loses = effect.loses || less > more;
  }
  return effect;
}

static bool has_transfers(const Cover *c, uint32_t t) {
  return c->net->transitions.data[t].transfer_len > 0;
}

/* All at once: first everything leaves, then it arrives. */
static bool move_all(Cover *c, uint32_t t) {
  const NetTransition *x = &c->net->transitions.data[t];
  uint32_t first = c->changes.len;
  for (uint32_t i = 0; i < x->transfer_len; i++)
    set(c, c->net->transfers.data[x->transfer + i].from, 0);
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    uint32_t to = c->net->transfers.data[x->transfer + i].to;
    uint32_t moved = c->changes.data[first + i].before;
    if (to == NET_NOWHERE || moved == 0 || c->marking[to] == NET_OMEGA) continue;
    if (moved != NET_OMEGA && c->marking[to] + moved > NET_MOST) return false;
    set(c, to, moved == NET_OMEGA ? NET_OMEGA : c->marking[to] + moved);
    c->signature |= bit(to);
  }
  return true;
}

/* False when a count grows too large. */
static bool fire(Cover *c, uint32_t t) {
  MarkingView pre = net_pre(c->net, t), post = net_post(c->net, t);
  for (uint32_t i = 0; i < pre.len; i++) {
    uint32_t p = pre.at[i].place, count = c->marking[p];
    assert(count >= pre.at[i].count); /* it is enabled */
    if (count != NET_OMEGA) set(c, p, count - pre.at[i].count);
  }
  if (!move_all(c, t)) return false;
  for (uint32_t i = 0; i < post.len; i++) {
    uint32_t p = post.at[i].place, count = c->marking[p];
    if (count == NET_OMEGA) continue;
    if (count + post.at[i].count > NET_MOST) return false;
    set(c, p, count + post.at[i].count);
    c->signature |= bit(p);
  }
  return true;
}

/* ---- loops ------------------------------------------------------------------------ */

static void fill(Cover *c, uint32_t place) {
  vec_push(&c->filled, (Tokens){place, c->marking[place]});
  set(c, place, NET_OMEGA);
}

static void end_loop(Cover *c, uint32_t from, uint32_t transition, uint32_t places) {
  vec_push(&c->loops, (Loop){from, transition, places, c->filled.len - places});
}

static bool is_above(const Cover *c, MarkingView m) {
  for (uint32_t i = 0; i < m.len; i++)
    if (c->marking[m.at[i].place] < m.at[i].count) return false;
  return true;
}

/* Fills what has grown since the ancestor. */
static void close_loop(Cover *c, uint32_t ancestor) {
  MarkingView m = view(c, ancestor);
  uint32_t places = c->filled.len, changes = c->changes.len;
  for (uint32_t i = 0; i < m.len; i++) c->other[m.at[i].place] = m.at[i].count;
  for (uint32_t i = 0; i < c->here.len; i++) {
    uint32_t p = c->here.data[i].place;
    if (c->marking[p] != NET_OMEGA && c->marking[p] > c->other[p]) fill(c, p);
  }
  for (uint32_t i = 0; i < changes; i++) {
    uint32_t p = c->changes.data[i].place;
    if (c->marking[p] != NET_OMEGA && c->marking[p] > c->other[p]) fill(c, p);
  }
  for (uint32_t i = 0; i < m.len; i++) c->other[m.at[i].place] = 0;
  c->cost += m.len + c->here.len;
  if (c->filled.len > places) end_loop(c, ancestor, NET_NONE, places);
}

/* `t` was fired last. */
static void close_loops(Cover *c, uint32_t parent, uint32_t t) {
  for (uint32_t a = parent; a != NET_NONE && !has_transfers(c, t);
       a = c->nodes.data[a].parent) {
    c->cost++;
    if (!(c->nodes.data[a].signature & ~c->signature)) {
      c->cost += 4;
      if (is_above(c, view(c, a))) close_loop(c, a);
    }
    t = c->nodes.data[a].transition;
  }
}

/* Repeats t if it only adds. */
static void repeat(Cover *c, uint32_t t) {
  MarkingView post = net_post(c->net, t);
  uint32_t places = c->filled.len;
  c->cost++;
  if (has_transfers(c, t) || !is_enabled(c, t)) return;
  Effect effect = effect_of(c, t);
  if (!effect.gains || effect.loses) return;
  MarkingView pre = net_pre(c->net, t);
  for (uint32_t i = 0, j = 0; i < post.len; i++) {
    uint32_t p = post.at[i].place;
    while (j < pre.len && pre.at[j].place < p) j++;
    bool back =
        j < pre.len && pre.at[j].place == p && pre.at[j].count == post.at[i].count;
    if (back || c->marking[p] == NET_OMEGA) continue;
    fill(c, p);
    c->signature |= bit(p);
    vec_push(&c->work, p);
  }
  end_loop(c, NET_NONE, t, places);
}

/* The parent had nothing to repeat: only what changed can matter. */
static void repeat_all(Cover *c) {
  const Net *net = c->net;
  for (uint32_t i = 0; i < c->changes.len; i++)
    vec_push(&c->work, c->changes.data[i].place);
  while (c->work.len > 0) {
    uint32_t p = vec_pop(&c->work);
    for (uint32_t i = net->take_start.data[p]; i < net->take_start.data[p + 1]; i++)
      repeat(c, net->take.data[i]);
  }
}

/* ---- nodes ------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b) {
  uint32_t x = ((const Change *)a)->place, y = ((const Change *)b)->place;
  return x < y ? -1 : x > y;
}

static void put_next(Cover *c, uint32_t place) {
  if (c->marking[place] == 0) return;
  if (c->next.len > 0 && vec_last(&c->next)->place == place) return;
  assert(!c->next.len || vec_last(&c->next)->place < place);
  vec_push(&c->next, (Tokens){place, c->marking[place]});
}

/* The marking at hand, sorted, into `next`. */
static void collect(Cover *c) {
  VEC(Change) sorted = {0};
  uint32_t k = 0;
  vec_reserve(&sorted, c->changes.len + 1);
  for (uint32_t i = 0; i < c->changes.len; i++) vec_push(&sorted, c->changes.data[i]);
  if (sorted.len) qsort(sorted.data, sorted.len, sizeof *sorted.data, by_place);
  vec_clear(&c->next);
  for (uint32_t i = 0; i < c->here.len; i++) {
    for (; k < sorted.len && sorted.data[k].place < c->here.data[i].place; k++)
      put_next(c, sorted.data[k].place);
    put_next(c, c->here.data[i].place);
  }
  for (; k < sorted.len; k++) put_next(c, sorted.data[k].place);
  vec_free(&sorted);
  c->cost += c->next.len;
}

/* Is some node other than `self` at least m? Among equals the first counts. */
static bool has_greater(Cover *c, MarkingView m, uint64_t signature, uint32_t self) {
  if (m.len == 0) return c->nodes.len > (self == 0);
  uint32_t best = m.at[0].place;
  for (uint32_t i = 1; i < m.len; i++)
    if (c->holding[m.at[i].place].len < c->holding[best].len) best = m.at[i].place;
  Numbers *list = &c->holding[best];
  for (uint32_t i = 0; i < list->len;) {
    uint32_t id = list->data[i];
    const Node *x = &c->nodes.data[id];
    c->cost++;
    if (x->below) {
      list->data[i] = list->data[--list->len];
      continue;
    }
    if (id != self && !(signature & ~x->signature) && m.len <= x->len) {
      c->cost += 1 + m.len / 4;
      if (marking_below(m, view(c, id))) return true;
    }
    i++;
  }
  return false;
}

static bool covers_target(Cover *c) {
  c->cost += c->net->targets.len;
  for (uint32_t i = 0; i < c->net->targets.len; i++)
    if (is_above(c, net_target(c->net, i))) {
      c->target = i;
      return true;
    }
  return false;
}

/* The loops of the new node are those from `loops` on. */
static void add_node(Cover *c, uint32_t parent, uint32_t transition, uint32_t loops) {
  uint32_t id = c->nodes.len;
  assert(parent == NET_NONE ? !id : parent < id);
  assert(loops <= c->loops.len);
  MarkingView m = {c->next.data, c->next.len};
  Node node = {.start = c->tokens.len,
               .len = m.len,
               .parent = parent,
               .transition = transition,
               .loops = loops,
               .loops_len = c->loops.len - loops,
               .signature = signature_of(m)};
  vec_reserve(&c->tokens, m.len);
  for (uint32_t i = 0; i < m.len; i++) {
    c->tokens.data[c->tokens.len++] = m.at[i];
    node.omegas += m.at[i].count == NET_OMEGA;
    vec_push(&c->holding[m.at[i].place], id);
  }
  vec_push(&c->nodes, node);
  vec_push(&c->expanded, 0);
  heap_push(&c->rich, (uint64_t)(UINT32_MAX - node.omegas) << 32 | (UINT32_MAX - id), id);
  heap_push(&c->wide, id, id);
}

static bool make_run(Cover *c);

/* Keeps the marking at hand, unless it is below another. */
static SearchStatus keep(Cover *c, uint32_t parent, uint32_t transition, uint32_t loops,
                         uint32_t filled) {
  collect(c);
  MarkingView m = {c->next.data, c->next.len};
  if (has_greater(c, m, signature_of(m), NET_NONE)) {
    c->loops.len = loops;
    c->filled.len = filled;
    return SEARCH_RUNNING;
  }
  add_node(c, parent, transition, loops);
  if (!covers_target(c)) return SEARCH_RUNNING;
  return make_run(c) ? SEARCH_UNSAFE : SEARCH_STOPPED;
}

static SearchStatus try_transition(Cover *c, uint32_t node, uint32_t t) {
  uint32_t loops = c->loops.len, filled = c->filled.len;
  c->cost += 2;
  if (!is_enabled(c, t) || !(has_transfers(c, t) || effect_of(c, t).gains))
    return SEARCH_RUNNING;
  c->signature = c->nodes.data[node].signature;
  SearchStatus status = SEARCH_STOPPED;
  if (fire(c, t)) {
    close_loops(c, node, t);
    repeat_all(c);
    status = keep(c, node, t, loops, filled);
  }
  undo(c);
  return status;
}

static void begin(Cover *c, uint32_t node) {
  MarkingView m = view(c, node);
  vec_clear(&c->here);
  for (uint32_t i = 0; i < m.len; i++) {
    vec_push(&c->here, m.at[i]);
    c->marking[m.at[i].place] = m.at[i].count;
  }
  assert(c->current == NET_NONE && !c->changes.len);
  c->current = node;
  c->cursor = (Cursor){0, 0};
}

/* Until `end`, or until all of them were tried. */
static SearchStatus go_on(Cover *c, uint64_t end) {
  MarkingView here = {c->here.data, c->here.len};
  bool done = false;
  while (!done && c->cost < end) {
    uint32_t t = cursor_next(&c->cursor, c->net, here, &c->sources);
    SearchStatus status =
        t == NET_NONE ? SEARCH_RUNNING : try_transition(c, c->current, t);
    if (status != SEARCH_RUNNING) return status;
    done = t == NET_NONE;
  }
  if (!done) return SEARCH_RUNNING;
  for (uint32_t i = 0; i < here.len; i++) c->marking[here.at[i].place] = 0;
  c->current = NET_NONE;
  return SEARCH_RUNNING;
}

static SearchStatus start(Cover *c) {
  const Net *net = c->net;
  c->signature = 0;
  for (uint32_t p = 0; p < net->place_names.len; p++)
    if (net->initial.data[p]) set(c, p, net->initial.data[p]);
  for (uint32_t t = 0; t < net->transitions.len; t++)
    if (net->transitions.data[t].pre_len == 0) repeat(c, t);
  repeat_all(c);
  SearchStatus status = keep(c, NET_NONE, NET_NONE, 0, 0);
  undo(c);
  return status;
}

static size_t memory(const Cover *c) {
  /* each token lies in `tokens` and once in `holding`, whose vectors have slack */
  return (size_t)c->tokens.cap * sizeof(Tokens) + (size_t)c->tokens.len * 8 +
         (size_t)c->nodes.cap * sizeof(Node) + (size_t)c->loops.cap * sizeof(Loop) +
         ((size_t)c->rich.cap + c->wide.cap) * sizeof(HeapEntry);
}

/* NET_NONE: nothing is left. */
static uint32_t next_node(Cover *c) {
  while (c->rich.len + c->wide.len > 0) {
    c->turn = !c->turn;
    uint32_t node =
        heap_pop(c->rich.len && (c->turn || !c->wide.len) ? &c->rich : &c->wide).item;
    if (c->expanded.data[node]) continue;
    c->expanded.data[node] = 1;
    Node *x = &c->nodes.data[node];
    if (!has_greater(c, view(c, node), x->signature, node)) return node;
    x->below = true;
  }
  return NET_NONE;
}

SearchStatus cover_run(Cover *c, uint64_t work) {
  uint64_t end = c->cost + work;
  SearchStatus status = c->nodes.len == 0 ? start(c) : SEARCH_RUNNING;
  for (uint32_t n = 1; status == SEARCH_RUNNING && c->cost < end; n++) {
    if (c->current == NET_NONE) {
      uint32_t node = next_node(c);
      if (node == NET_NONE) return SEARCH_SAFE;
      begin(c, node);
    }
    status = go_on(c, end);
    if (n % CLOCK_EVERY == 0 || c->cost >= end) {
      if (net_time_is_up(c->limits)) break;
      if (c->limits->memory && memory(c) > c->limits->memory) return SEARCH_STOPPED;
    }
  }
  return status;
}

/* ---- runs ------------------------------------------------------------------------- */

typedef struct {
  const Cover *c;
  uint64_t *demand; /* per place */
  Numbers *out;     /* transitions, the last one first */
  uint32_t nesting;
  bool failed;
} Unroll;

static void step_back(Unroll *u, uint32_t t) {
  MarkingView pre = net_pre(u->c->net, t), post = net_post(u->c->net, t);
  for (uint32_t i = 0; i < post.len; i++) {
    uint64_t *demand = &u->demand[post.at[i].place];
    *demand = *demand > post.at[i].count ? *demand - post.at[i].count : 0;
  }
  for (uint32_t i = 0; i < pre.len; i++) u->demand[pre.at[i].place] += pre.at[i].count;
  vec_push(u->out, t);
  if (u->out->len > MOST_STEPS) u->failed = true;
}

/* Back through a transition with transfers, to the marking it was fired at: what a place
 * still lacks comes from those that flow into it, first from where tokens are counted. */
static void spread_back(Unroll *u, uint32_t t, MarkingView before) {
  const Net *net = u->c->net;
  const NetTransition *x = &net->transitions.data[t];
  uint32_t places = net->place_names.len;
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  uint32_t *goes_to = mem_alloc(places * sizeof *goes_to);
  uint64_t *need = mem_alloc_zero(places * sizeof *need);
  for (uint32_t p = 0; p < places; p++) goes_to[p] = p;
  for (uint32_t i = 0; i < x->transfer_len; i++)
    goes_to[net->transfers.data[x->transfer + i].from] =
        net->transfers.data[x->transfer + i].to;
  for (uint32_t i = 0; i < pre.len; i++) need[pre.at[i].place] = pre.at[i].count;
  for (uint32_t i = 0; i < post.len; i++) {
    uint64_t *demand = &u->demand[post.at[i].place];
    *demand = *demand > post.at[i].count ? *demand - post.at[i].count : 0;
  }
  for (int endless = 0; endless < 2; endless++)
    for (uint32_t i = 0; i < before.len; i++) {
      uint32_t p = before.at[i].place;
      if (goes_to[p] == NET_NOWHERE || (before.at[i].count == NET_OMEGA) != endless)
        continue;
      assert(need[p] <= before.at[i].count);
      uint64_t *demand = &u->demand[goes_to[p]], left = before.at[i].count - need[p];
      uint64_t part = endless || *demand < left ? *demand : left;
      *demand -= part;
      need[p] += part;
    }
  for (uint32_t p = 0; p < places; p++) {
    u->failed = u->failed || u->demand[p] > 0;
    u->demand[p] = need[p];
  }
  mem_free(goes_to);
  mem_free(need);
  vec_push(u->out, t);
}

static bool wants_more(const Unroll *u, const Loop *loop) {
  for (uint32_t i = 0; i < loop->len; i++) {
    Tokens before = u->c->filled.data[loop->places + i];
    if (u->demand[before.place] > before.count) return true;
  }
  return false;
}

static void settle(Unroll *u, uint32_t node, uint32_t loops);

/* Back from a node, before its loop number `loops`, to an ancestor. */
static void walk_back(Unroll *u, uint32_t node, uint32_t loops, uint32_t ancestor) {
  const Cover *c = u->c;
  settle(u, node, loops);
  while (!u->failed && c->nodes.data[node].parent != NET_NONE) {
    uint32_t t = c->nodes.data[node].transition;
    node = c->nodes.data[node].parent;
    if (has_transfers(c, t))
      spread_back(u, t, view(c, node));
    else
      step_back(u, t);
    assert(ancestor <= node);
    if (node == ancestor) return;
    settle(u, node, c->nodes.data[node].loops_len);
  }
}

/* Makes the demand one that the node meets without its loops from number `loops` on: the
 * last loop first, for it may rest on those before. */
static void settle(Unroll *u, uint32_t node, uint32_t loops) {
  const Cover *c = u->c;
  if (++u->nesting > MOST_NESTING) u->failed = true;
  for (uint32_t i = loops; i > 0 && !u->failed; i--) {
    const Loop *loop = &c->loops.data[c->nodes.data[node].loops + i - 1];
    while (!u->failed && wants_more(u, loop)) {
      if (loop->from == NET_NONE)
        step_back(u, loop->transition);
      else
        walk_back(u, node, i - 1, loop->from);
    }
  }
  u->nesting--;
}

/* The run to the last node, which covers the target. */
static bool make_run(Cover *c) {
  const Net *net = c->net;
  MarkingView target = net_target(net, c->target);
  uint32_t last = c->nodes.len - 1, places = net->place_names.len;
  Unroll u = {.c = c, .out = &c->path};
  u.demand = mem_alloc_zero(places * sizeof *u.demand);
  for (uint32_t i = 0; i < target.len; i++)
    u.demand[target.at[i].place] = target.at[i].count;
  settle(&u, last, c->nodes.data[last].loops_len);
  if (last > 0 && !u.failed) {
    walk_back(&u, last, 0, 0);
    settle(&u, 0, c->nodes.data[0].loops_len);
  }
  for (uint32_t p = 0; p < places; p++)
    u.failed = u.failed || u.demand[p] > net->initial.data[p];
  for (uint32_t p = 0; p < places && !u.failed; p++)
    if (net->initial.data[p] == NET_OMEGA && u.demand[p] > 0)
      vec_push(&c->first, (Tokens){p, (uint32_t)u.demand[p]});
  mem_free(u.demand);
  return !u.failed;
}

uint32_t cover_path(const Cover *c, Numbers *out, MarkingView *ret_first) {
  *ret_first = (MarkingView){c->first.data, c->first.len};
  for (uint32_t i = c->path.len; i > 0; i--) vec_push(out, c->path.data[i - 1]);
  return c->target;
}

/* ---- what is found ---------------------------------------------------------------- */

void cover_rows(Cover *c, TokenRows *out) {
  for (uint32_t n = 0; n < c->nodes.len; n++) {
    Node *x = &c->nodes.data[n];
    MarkingView m = view(c, n);
    if (!x->below && has_greater(c, m, x->signature, n)) x->below = true;
    if (x->below) continue;
    for (uint32_t i = 0; i < m.len; i++) vec_push(&out->items, m.at[i]);
    vec_push(&out->ends, out->items.len);
  }
}

uint64_t cover_count(const Cover *c) {
  return c ? c->nodes.len : 0;
}
