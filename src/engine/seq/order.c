/* The nodes of a function in an order in which merging works: every edge that does not go back to
 * the head of a loop leads forward. A weak topological order (Bourdoncle), which has each loop, with
 * those nested in it, in one piece, and also copes with loops that are entered in the middle. */
#include "engine/seq/internal.h"

#include "base/mem.h"

#include <assert.h>

typedef struct {
  const Program *program;
  NodeId first;
  uint32_t *number; /* by node: 0 not seen, UINT32_MAX done */
  uint32_t next;
  VEC(NodeId) stack;
} Search;

static void reverse(Parts *parts) {
  for (uint32_t i = 0, k = parts->len; i + 1 < k; i++) {
    Part t = parts->data[i];
    parts->data[i] = parts->data[--k];
    parts->data[k] = t;
  }
}

static uint32_t visit(Search *s, NodeId node, Parts *parts);

static void visit_successors_of_head(Search *s, NodeId head, Parts *parts) {
  EdgeId end = node_end_edge(s->program, head);
  for (EdgeId e = node_first_edge(s->program, head); e < end; e++) {
    NodeId to = program_edge(s->program, e)->to;
    if (to && !s->number[to - s->first]) visit(s, to, parts);
  }
}

/* A loop with this head: its nodes are visited again, without it. */
static void add_loop(Search *s, NodeId head, Parts *parts) {
  Part loop = {.node = head, .is_loop = true};
  Parts inner = {0};
  visit_successors_of_head(s, head, &inner);
  reverse(&inner);
  memcpy(&loop.parts, &inner, sizeof inner);
  vec_push(parts, loop);
}

static uint32_t visit(Search *s, NodeId node, Parts *parts) {
  vec_push(&s->stack, node);
  uint32_t mine = ++s->next, head = mine;
  bool is_loop = false;
  s->number[node - s->first] = mine;
  EdgeId end = node_end_edge(s->program, node);
  for (EdgeId e = node_first_edge(s->program, node); e < end; e++) {
    NodeId to = program_edge(s->program, e)->to;
    if (!to) continue;
    uint32_t seen = s->number[to - s->first];
    uint32_t least = seen ? seen : visit(s, to, parts);
    if (least <= head) head = least, is_loop = true;
  }
  if (head != mine) return head;
  s->number[node - s->first] = UINT32_MAX;
  NodeId top = vec_pop(&s->stack);
  if (!is_loop) {
    vec_push(parts, (Part){.node = node});
    return head;
  }
  while (top != node) {
    s->number[top - s->first] = 0;
    top = vec_pop(&s->stack);
  }
  add_loop(s, node, parts);
  return head;
}

const Parts *seq_order(Unwinder *u, FuncId function) {
  uint64_t *slot = map_at(&u->orders, function);
  if (*slot) return (const Parts *)(uintptr_t)*slot;
  const Function *f = vec_at(&u->program->functions, function);
  Parts *parts = mem_alloc_zero(sizeof *parts);
  Search s = {.program = u->program, .first = f->first_node};
  s.number = mem_alloc_zero((f->node_count + 1) * sizeof *s.number);
  visit(&s, f->entry, parts);
  assert(!s.stack.len); /* every node is in a part */
  reverse(parts);
  mem_free(s.number);
  vec_free(&s.stack);
  *map_at(&u->orders, function) = (uint64_t)(uintptr_t)parts;
  return parts;
}
