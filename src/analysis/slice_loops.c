/* See slice_loops.h. An exit counts if the locals in its condition are set inside of the loop by
 * plain assignments alone, from locals for which the same holds, and if one of them is. */
#include "analysis/slice_loops.h"

#include "base/map.h"

enum { LARGEST_COUNT = 16 }; /* weight of the expressions that are looked at */

typedef struct {
  const Program *p;
  const Function *f;
  const NodeList *loop;
  Map seen;     /* locals */
  bool changes; /* one of them is set inside of the loop */
} Count;

static bool is_counted(Count *c, LocalId local);

static bool counts(Count *c, ExprId root) {
  const Expr *e = program_expr(c->p, root);
  if (e->kind == EXPR_LOCAL) return is_counted(c, (LocalId)e->data);
  int n = expr_operand_count((ExprKind)e->kind);
  return e->weight <= LARGEST_COUNT && (n < 1 || counts(c, e->a)) &&
         (n < 2 || counts(c, e->b)) && (n < 3 || counts(c, e->c));
}

static bool is_counted(Count *c, LocalId local) {
  uint64_t *slot = map_at(&c->seen, local);
  if (*slot) return true;
  *slot = 1;
  for (uint32_t i = 0; i < c->loop->count; i++) {
    NodeId node = c->f->first_node + c->loop->nodes[i];
    for (EdgeId id = node_first_edge(c->p, node); id < node_end_edge(c->p, node); id++) {
      const Edge *e = program_edge(c->p, id);
      if (e->dst != local && e->dst2 != local) continue;
      if (e->op != OP_ASSIGN || !counts(c, e->a)) return false;
      c->changes = true;
    }
  }
  return true;
}

bool slice_loop_counts(const Program *p, const Function *f, const NodeList *loop,
                       const uint8_t *inside) {
  bool found = false;
  for (uint32_t i = 0; i < loop->count && !found; i++) {
    NodeId node = f->first_node + loop->nodes[i];
    for (EdgeId id = node_first_edge(p, node); id < node_end_edge(p, node); id++) {
      const Edge *e = program_edge(p, id);
      if (e->op != OP_ASSUME || (e->to && inside[e->to - f->first_node])) continue;
      Count c = {.p = p, .f = f, .loop = loop};
      found = found || (counts(&c, e->a) && c.changes);
      map_free(&c.seen);
    }
  }
  return found;
}
