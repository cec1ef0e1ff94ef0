/* See liveness.h. Nodes are numbered in reverse post-order, so a pass from the last to the first
 * settles everything but loops; few passes follow. Rows of bits are kept, a row for a node.
 *
 * Expressions are shared: the operands of one may be those of another. A mark for each
 * expression that an edge has shown keeps the walk linear in their number. */
#include "analysis/liveness.h"

#include "base/arena.h"
#include "base/mem.h"

#include <assert.h>
#include <string.h>

typedef struct {
  uint64_t *rows; /* NULL: not asked for yet */
  uint32_t words; /* of a row */
} Body;

struct Liveness {
  const Program *program;
  Arena *arena;
  Body *bodies;   /* by function */
  uint32_t *seen; /* by expression: the edge for which it was visited last, as a stamp */
  uint32_t stamp;
  VEC(ExprId) stack;
};

Liveness *liveness_new(const Program *program) {
  Liveness *l = mem_alloc_zero(sizeof *l);
  l->program = program;
  l->arena = arena_new();
  l->bodies = mem_alloc_zero((program->functions.len + 1) * sizeof *l->bodies);
  l->seen = mem_alloc_zero((program->exprs.len + 1) * sizeof *l->seen);
  return l;
}

void liveness_free(Liveness *l) {
  if (!l) return;
  arena_free(l->arena);
  mem_free(l->bodies);
  mem_free(l->seen);
  vec_free(&l->stack);
  mem_free(l);
}

static void set_bit(uint64_t *row, uint32_t i) {
  row[i / 64] |= UINT64_C(1) << i % 64;
}
static void clear_bit(uint64_t *row, uint32_t i) {
  row[i / 64] &= ~(UINT64_C(1) << i % 64);
}

static void visit(Liveness *l, ExprId id) {
  if (!id || l->seen[id] == l->stamp) return;
  l->seen[id] = l->stamp;
  vec_push(&l->stack, id);
}

/* The locals of all expressions on the stack. */
static void use(Liveness *l, const Function *f, uint64_t *row) {
  while (l->stack.len) {
    const Expr *e = program_expr(l->program, vec_pop(&l->stack));
    assert(e->kind != EXPR_LOCAL || e->data - f->first_local < f->local_count);
    if (e->kind == EXPR_LOCAL) set_bit(row, (uint32_t)e->data - f->first_local);
    ExprId operands[] = {e->a, e->b, e->c};
    for (int i = 0; i < expr_operand_count((ExprKind)e->kind); i++) visit(l, operands[i]);
  }
}

static void define(const Function *f, LocalId local, uint64_t *row) {
  assert(!local || local - f->first_local < f->local_count);
  if (local) clear_bit(row, local - f->first_local);
}

/* What is live before the edge, from what is live after it (in `row`). */
static void step_back(Liveness *l, const Function *f, const Edge *edge, uint64_t *row) {
  define(f, edge->dst, row);
  define(f, edge->dst2, row);
  l->stamp++;
  visit(l, edge->a);
  visit(l, edge->b);
  visit(l, edge->c);
  for (uint32_t i = 0; i < edge->arg_count; i++)
    visit(l, l->program->args.data[edge->first_arg + i].value);
  use(l, f, row);
}

static void compute(Liveness *l, const Function *f, Body *body) {
  const Program *p = l->program;
  body->words = f->local_count / 64 + 1;
  size_t bytes = body->words * sizeof *body->rows;
  body->rows = arena_alloc_zero(l->arena, f->node_count * bytes);
  uint64_t *row = mem_alloc(bytes), *before = mem_alloc(bytes);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = f->node_count; i-- > 0;) {
      NodeId node = f->first_node + i;
      uint64_t *live = body->rows + (size_t)i * body->words;
      memcpy(before, live, bytes);
      for (EdgeId e = node_first_edge(p, node); e < node_end_edge(p, node); e++) {
        const Edge *edge = program_edge(p, e);
        memset(row, 0, bytes);
        if (edge->to)
          memcpy(row, body->rows + (size_t)(edge->to - f->first_node) * body->words,
                 bytes);
        step_back(l, f, edge, row);
        for (uint32_t w = 0; w < body->words; w++) live[w] |= row[w];
      }
      changed = changed || memcmp(before, live, bytes);
    }
  }
  mem_free(row);
  mem_free(before);
}

const uint64_t *liveness_at(Liveness *l, NodeId node) {
  FuncId function = l->program->nodes.data[node].function;
  const Function *f = &l->program->functions.data[function];
  Body *body = &l->bodies[function];
  if (!body->rows) compute(l, f, body);
  return body->rows + (size_t)(node - f->first_node) * body->words;
}

bool liveness_has(Liveness *l, NodeId node, LocalId local) {
  const Function *f = &l->program->functions.data[l->program->nodes.data[node].function];
  assert(local - f->first_local < f->local_count);
  return live_set_has(liveness_at(l, node), local - f->first_local);
}
