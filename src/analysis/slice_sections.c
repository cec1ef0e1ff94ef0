/* See slice_sections.h. For each function two walks: forward from its entry for the number of
 * open sections at each node, then from each node inside of some along edges in both directions. */
#include "analysis/slice_sections.h"

#include "base/mem.h"

#include <assert.h>

typedef struct {
  const Program *p;
  Sections *s;
  uint32_t *depth; /* by node of the function: open sections + 1; 0: not come to */
  VEC(NodeId) work;
  VEC(EdgeId) found;   /* of all sections so far */
  VEC(uint32_t) owner; /* the section of each */
} Survey;

static bool is_section(const Edge *e) {
  return e->op == OP_ATOMIC_BEGIN || e->op == OP_ATOMIC_END;
}

bool slice_section_ignores(const Edge *e) {
  return e->op == OP_NOP || e->op == OP_ASSUME || e->op == OP_ASSIGN || e->op == OP_HAVOC;
}

static bool has_sections(const Program *p, const Function *f) {
  for (uint32_t i = 0; i < f->edge_count; i++)
    if (is_section(program_edge(p, f->first_edge + i))) return true;
  return false;
}

/* False: some place is come to with different numbers, or the function ends in a section. */
static bool count_open(Survey *x, const Function *f) {
  bool regular = true;
  x->work.len = 0;
  vec_push(&x->work, f->entry);
  x->depth[f->entry - f->first_node] = 1;
  while (x->work.len && regular) {
    NodeId node = vec_pop(&x->work);
    uint32_t here = x->depth[node - f->first_node];
    for (EdgeId id = node_first_edge(x->p, node); id < node_end_edge(x->p, node); id++) {
      const Edge *e = program_edge(x->p, id);
      uint32_t there = here + (e->op == OP_ATOMIC_BEGIN) - (e->op == OP_ATOMIC_END);
      regular = regular && there > 0 && (e->op != OP_RETURN || there == 1);
      if (!e->to) continue;
      uint32_t *known = &x->depth[e->to - f->first_node];
      regular = regular && (!*known || *known == there);
      if (!*known) vec_push(&x->work, e->to);
      *known = there;
    }
  }
  return regular;
}

static void enter(Survey *x, const Function *f, NodeId node, uint32_t section) {
  if (x->depth[node - f->first_node] < 2 || x->s->around[node]) return;
  x->s->around[node] = section;
  vec_push(&x->work, node);
}

/* The nodes that hang together with `start`, all inside of sections. */
static void flood(Survey *x, const Function *f, NodeId start, uint32_t section) {
  bool grows = true;
  x->work.len = 0;
  enter(x, f, start, section);
  while (grows) {
    grows = false;
    while (x->work.len) {
      NodeId node = vec_pop(&x->work);
      for (EdgeId id = node_first_edge(x->p, node); id < node_end_edge(x->p, node); id++)
        if (program_edge(x->p, id)->to) enter(x, f, program_edge(x->p, id)->to, section);
    }
    for (uint32_t i = 0; i < f->edge_count; i++) {
      const Edge *e = program_edge(x->p, f->first_edge + i);
      if (e->to && x->s->around[e->to] == section) enter(x, f, e->from, section);
    }
    grows = x->work.len > 0;
  }
}

static void survey(Survey *x, const Function *f) {
  x->depth = mem_alloc_zero((f->node_count + 1) * sizeof *x->depth);
  if (count_open(x, f)) {
    for (uint32_t i = 0; i < f->node_count; i++)
      if (x->depth[i] > 1 && !x->s->around[f->first_node + i])
        flood(x, f, f->first_node + i, ++x->s->count);
    for (uint32_t i = 0; i < f->edge_count; i++) {
      EdgeId id = f->first_edge + i;
      if (!is_section(program_edge(x->p, id))) continue;
      vec_push(&x->found, id);
      vec_push(&x->owner, slice_section_of(x->s, x->p, id));
    }
  }
  mem_free(x->depth);
}

/* The operations, sorted by section. */
static void sort_operations(Survey *x) {
  Sections *s = x->s;
  s->first = mem_alloc_zero((s->count + 3) * sizeof *s->first);
  s->operations = mem_alloc_zero((x->found.len + 1) * sizeof *s->operations);
  for (uint32_t i = 0; i < x->found.len; i++) s->first[x->owner.data[i] + 1]++;
  for (uint32_t k = 1; k < s->count + 2; k++) s->first[k] += s->first[k - 1];
  uint32_t *next = mem_alloc_zero((s->count + 2) * sizeof *next);
  for (uint32_t i = 0; i < x->found.len; i++) {
    uint32_t k = x->owner.data[i];
    s->operations[s->first[k] + next[k]++] = x->found.data[i];
  }
  assert(s->first[s->count + 1] == x->found.len);
  mem_free(next);
}

void slice_sections_new(const Program *p, Sections *ret) {
  *ret = (Sections){.around = mem_alloc_zero((p->nodes.len + 1) * sizeof *ret->around)};
  Survey x = {.p = p, .s = ret};
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if ((function->flags & FUNCTION_DEFINED) && has_sections(p, function))
      survey(&x, function);
  }
  sort_operations(&x);
  vec_free(&x.work);
  vec_free(&x.found);
  vec_free(&x.owner);
}

void slice_sections_free(Sections *s) {
  mem_free(s->around);
  mem_free(s->first);
  mem_free(s->operations);
  *s = (Sections){0};
}

uint32_t slice_section_of(const Sections *s, const Program *p, EdgeId id) {
  const Edge *e = program_edge(p, id);
  if (s->around[e->from]) return s->around[e->from];
  return e->op == OP_ATOMIC_BEGIN && e->to ? s->around[e->to] : 0;
}
