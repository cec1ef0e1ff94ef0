/* See slice_loops.h. An exit counts if the locals in its condition are set inside of the loop by
 * plain assignments alone, from locals for which the same holds, and if one of them goes on from what it was a
 * round before. A flag that is set to a number does not: whether it is set may be for others to decide. */
#include "analysis/slice_loops.h"

#include "base/map.h"

enum { LARGEST_COUNT = 16 }; /* weight of the expressions that are looked at */
enum { UNDER_WAY = 1, LOOKED_AT };

typedef struct {
  const Program *p;
  const Function *f;
  const NodeList *loop;
  Map seen;     /* locals: UNDER_WAY, LOOKED_AT */
  bool changes; /* one of them depends on itself */
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
  uint64_t known = map_find(&c->seen, local, 0);
  c->changes = c->changes || known == UNDER_WAY;
  if (known) return true;
  map_put(&c->seen, local, UNDER_WAY);
  for (uint32_t i = 0; i < c->loop->count; i++) {
    NodeId node = c->f->first_node + c->loop->nodes[i];
    for (EdgeId id = node_first_edge(c->p, node); id < node_end_edge(c->p, node); id++) {
      const Edge *e = program_edge(c->p, id);
      if (e->dst != local && e->dst2 != local) continue;
      if (e->op != OP_ASSIGN || !counts(c, e->a)) return false;
    }
  }
  map_put(&c->seen, local, LOOKED_AT);
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
