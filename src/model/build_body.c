/* From the loose edges of one body to its automaton in the program's tables. See build.h.
 *
 * While a body is built its nodes are numbered from 1. At the end: NOP edges that are the only
 * way out of their node disappear, unreachable nodes are dropped, the rest is numbered in
 * reverse post-order (so a loop-free path has ascending numbers) and the edges are sorted by
 * source node with a counting sort that keeps the order in which they were added. */
#include "model/build_internal.h"

void builder_begin_body(Builder *b, FuncId function) {
  b->function = function;
  b->node_count = 1;
  vec_clear(&b->edges);
  vec_clear(&b->body_labels);
  vec_at(&b->program.functions, function)->first_local = b->program.locals.len;
}

LocalId builder_new_local(Builder *b, Sym name, Sort sort, uint32_t bits, uint8_t flags,
                          TypeId type, LocId loc) {
  Local local = {.name = name,
                 .bits = bits,
                 .sort = (uint8_t)sort,
                 .flags = flags,
                 .type = type,
                 .loc = loc};
  vec_push(&b->program.locals, local);
  return b->program.locals.len - 1;
}

NodeId builder_new_node(Builder *b) {
  return b->node_count++;
}

Edge *builder_add_edge(Builder *b, const Edge *edge) {
  assert(edge->from && edge->from < b->node_count && edge->to < b->node_count);
  vec_push(&b->edges, *edge);
  return vec_last(&b->edges);
}

uint32_t builder_new_label(Builder *b) {
  vec_push(&b->program.labels, 0);
  return b->program.labels.len - 1;
}

void builder_set_label(Builder *b, uint32_t label, NodeId node) {
  *vec_at(&b->program.labels, label) = node;
  vec_push(&b->body_labels, label);
}

typedef struct {
  uint32_t *start;   /* node n has the edges order[start[n] .. start[n+1]) */
  uint32_t *order;   /* edge indices sorted by source */
  uint32_t *forward; /* where a jump to the node really goes */
  uint32_t *number;  /* new number of each node, 0: unreachable */
  uint32_t kept;
} Layout;

static void sort_edges(Builder *b, Layout *l) {
  uint32_t n = b->node_count;
  for (uint32_t i = 0; i < b->edges.len; i++) l->start[b->edges.data[i].from + 1]++;
  for (uint32_t i = 0; i < n; i++) l->start[i + 1] += l->start[i];
  uint32_t *next = mem_dup(l->start, (n + 1) * sizeof *next);
  for (uint32_t i = 0; i < b->edges.len; i++) l->order[next[b->edges.data[i].from]++] = i;
  mem_free(next);
}

/* Where the chain of NOPs from `n` leads, as far as it is known; shortens the way there. */
static uint32_t chain_end(Layout *l, uint32_t n) {
  while (l->forward[n] != n) {
    l->forward[n] = l->forward[l->forward[n]];
    n = l->forward[n];
  }
  return n;
}

/* The node at which a chain of NOPs ends; a ring of NOPs (an empty endless loop) keeps one. */
static void find_forwards(Builder *b, Layout *l) {
  for (uint32_t n = 1; n < b->node_count; n++) l->forward[n] = n;
  for (uint32_t n = 1; n < b->node_count; n++) {
    if (l->start[n + 1] - l->start[n] != 1) continue;
    const Edge *e = &b->edges.data[l->order[l->start[n]]];
    if (e->op == OP_NOP && e->to) l->forward[n] = chain_end(l, e->to);
  }
  for (uint32_t n = 1; n < b->node_count; n++) l->forward[n] = chain_end(l, n);
}

/* Iterative depth-first search; numbers are given in reverse post-order. */
static void number_nodes(Builder *b, Layout *l, NodeId entry) {
  uint32_t *stack = mem_alloc(b->node_count * sizeof *stack);
  uint32_t *position = mem_alloc_zero(b->node_count * sizeof *position);
  uint32_t *post = mem_alloc(b->node_count * sizeof *post);
  uint8_t *seen = mem_alloc_zero(b->node_count);
  uint32_t depth = 0, done = 0;
  VEC(uint32_t) roots = {0};
  /* last root first: the entry comes out lowest in reverse post-order */
  for (uint32_t i = 0; i < b->body_labels.len; i++)
    vec_push(&roots, l->forward[b->program.labels.data[b->body_labels.data[i]]]);
  vec_push(&roots, l->forward[entry]);
  for (uint32_t r = 0; r < roots.len; r++) {
    if (seen[roots.data[r]]) continue;
    seen[roots.data[r]] = 1;
    stack[depth++] = roots.data[r];
    while (depth) {
      uint32_t n = stack[depth - 1];
      uint32_t out = l->start[n + 1] - l->start[n];
      if (position[n] == out) {
        post[done++] = n;
        depth--;
        continue;
      }
      /* successors last to first, so that the first one gets the lower number */
      uint32_t i = l->start[n] + out - 1 - position[n]++;
      uint32_t to = b->edges.data[l->order[i]].to;
      if (to && !seen[l->forward[to]]) {
        seen[l->forward[to]] = 1;
        stack[depth++] = l->forward[to];
      }
    }
  }
  for (uint32_t i = 0; i < done; i++) l->number[post[i]] = done - i;
  l->kept = done;
  vec_free(&roots);
  mem_free(stack);
  mem_free(position);
  mem_free(seen);
  mem_free(post);
}

static void append(Builder *b, Layout *l, NodeId entry) {
  Program *p = &b->program;
  Function *f = vec_at(&p->functions, b->function);
  NodeId base = p->nodes.len - 1; /* node with number k becomes base + k */
  uint32_t *by_number = mem_alloc_zero((l->kept + 1) * sizeof *by_number);
  for (uint32_t n = 1; n < b->node_count; n++)
    if (l->number[n]) by_number[l->number[n]] = n;
  f->first_node = base + 1;
  f->node_count = l->kept;
  f->entry = base + l->number[l->forward[entry]];
  f->first_edge = p->edges.len;
  for (uint32_t k = 1; k <= l->kept; k++) {
    uint32_t n = by_number[k];
    vec_push(&p->nodes, (Node){.first_edge = p->edges.len, .function = b->function});
    for (uint32_t i = l->start[n]; i < l->start[n + 1]; i++) {
      Edge e = b->edges.data[l->order[i]];
      e.from = base + k;
      e.to = e.to ? base + l->number[l->forward[e.to]] : 0;
      vec_push(&p->edges, e);
    }
  }
  f->edge_count = p->edges.len - f->first_edge;
  f->local_count = p->locals.len - f->first_local;
  for (uint32_t i = 0; i < b->body_labels.len; i++) {
    NodeId *label = vec_at(&p->labels, b->body_labels.data[i]);
    *label = base + l->number[l->forward[*label]];
  }
  mem_free(by_number);
}

void builder_end_body(Builder *b, NodeId entry) {
  uint32_t n = b->node_count;
  Layout l = {
      .start = mem_alloc_zero((n + 2) * sizeof(uint32_t)),
      .order = mem_alloc((b->edges.len + 1) * sizeof(uint32_t)),
      .forward = mem_alloc_zero((n + 1) * sizeof(uint32_t)),
      .number = mem_alloc_zero((n + 1) * sizeof(uint32_t)),
  };
  sort_edges(b, &l);
  find_forwards(b, &l);
  number_nodes(b, &l, entry);
  append(b, &l, entry);
  mem_free(l.start);
  mem_free(l.order);
  mem_free(l.forward);
  mem_free(l.number);
}
