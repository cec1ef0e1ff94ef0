/* Pointers that run over objects in loops.
 *
 * In: the nodes of a cycle of copies and shifts. Out: its shifts have become walks.
 *
 * Every node of the cycle gets a distance from the first one, along some way. Where two ways
 * lead to different distances, a pointer that goes around moves on by the difference; the
 * greatest common divisor of all differences is the step of the walk (p++ in a loop: the size
 * of an element). Where there is none the cycle is balanced, as when a member is found from
 * its structure and the structure from its member: its shifts stay exact.
 *
 * Without this, a pointer that walks over a structure would be followed member by member and
 * stop in the first array on its way, all elements of which are one place. */
#include "analysis/pointsto_internal.h"

static uint64_t divisor(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

typedef struct {
  Solver *s;
  WalkSpace *space;
  VEC(NodeNo) stack;
  uint32_t component;
  uint64_t step;
  uint32_t reach; /* where C says that every step of it stays; UINT32_MAX: none was met */
} Cycle;

/* An edge inside of the cycle. */
static void go(Cycle *c, NodeNo from, NodeNo to, int64_t add) {
  WalkSpace *w = c->space;
  to = pt_node_find(c->s, to);
  if (w->component[to] != c->component) return;
  int64_t at = (int64_t)((uint64_t)w->distance[from] + (uint64_t)add);
  if (!w->placed[to]) {
    w->placed[to] = 1;
    w->distance[to] = at;
    vec_push(&c->stack, to);
    return;
  }
  int64_t gap = (int64_t)((uint64_t)at - (uint64_t)w->distance[to]);
  c->step = divisor(c->step, gap < 0 ? 0 - (uint64_t)gap : (uint64_t)gap);
}

static void join_reach(Cycle *c, uint32_t reach) {
  c->reach = c->reach == UINT32_MAX || c->reach == reach ? reach : 0;
}

/* A walk stays in its array if all of its steps are by elements of one size. */
static void note_reach(Cycle *c, const Move *m) {
  if (m->add) join_reach(c, m->add_reach);
  for (uint32_t i = 0; i < m->stride_count; i++) join_reach(c, m->reaches[i]);
}

static void go_on(Cycle *c, NodeNo node) {
  const PtNode *n = &c->s->nodes.data[node];
  for (uint32_t i = 0; i < n->copies.len; i++) go(c, node, n->copies.data[i], 0);
  for (uint32_t i = 0; i < n->shifts.len; i++) {
    const Move *m = &c->s->moves.data[n->shifts.data[i].move];
    if (!move_is_step(m)) continue;
    NodeNo to = pt_node_find(c->s, n->shifts.data[i].to);
    go(c, node, to, m->add);
    if (c->space->component[to] == c->component) note_reach(c, m);
    for (uint32_t k = 0; k < m->stride_count && c->space->component[to] == c->component;
         k++)
      c->step = divisor(c->step, m->strides[k]);
  }
}

static void make_walks(Cycle *c, NodeNo node, uint32_t step) {
  Solver *s = c->s;
  for (uint32_t i = 0; i < s->nodes.data[node].shifts.len; i++) {
    Shift *shift = &s->nodes.data[node].shifts.data[i];
    Move m = s->moves.data[shift->move];
    NodeNo to = pt_node_find(s, shift->to);
    if (!move_is_step(&m) || c->space->component[to] != c->component ||
        (m.kind == MOVE_WALK && m.stride_count == 1 && m.strides[0] == step &&
         m.reaches[0] == c->reach))
      continue;
    Move walk = {.kind = MOVE_WALK,
                 .integer = m.integer,
                 .typed = m.typed,
                 .add = m.add,
                 .stride_count = 1,
                 .strides = {step},
                 .reaches = {c->reach}};
    shift->move = pt_move_id(s, &walk);
    vec_push(&c->space->changed, (ChangedShift){node, *shift});
  }
}

void pt_cycle_walks(Solver *s, WalkSpace *space, const NodeNo *members, uint32_t count) {
  Cycle c = {.s = s, .space = space, .component = members[0], .reach = UINT32_MAX};
  for (uint32_t i = 0; i < count; i++) space->component[members[i]] = c.component;
  space->placed[members[0]] = 1;
  space->distance[members[0]] = 0;
  vec_push(&c.stack, members[0]);
  while (c.stack.len) go_on(&c, vec_pop(&c.stack));
  vec_free(&c.stack);
  if (!c.step) return;
  uint32_t step = c.step > OFFSET_LIMIT ? 1 : (uint32_t)c.step;
  for (uint32_t i = 0; i < count; i++) make_walks(&c, members[i], step);
}
