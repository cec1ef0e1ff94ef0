/* Loops that only wait: while (!flag);
 *
 * An iteration that comes back to where it began and has changed nothing that is read later is a
 * step that nobody can tell from standing still. The thread can stand still at the switch before the
 * load that the loop looks at, so such an iteration is dropped; otherwise a checker would unroll it.
 * The loop of an edge back to a node is the natural one: the nodes from which the edge is reached
 * without passing the node. */
#include "seqc/emit.h"

#include "analysis/liveness.h"
#include "base/mem.h"

/* The edge leaves everything as it was but for locals that are set anew before they are read. */
static bool is_harmless(Seqc *s, EdgeId edge, NodeId head) {
  const Edge *e = program_edge(s->program, edge);
  switch ((OpKind)e->op) {
  case OP_NOP:
  case OP_ASSUME:
  case OP_FENCE: return true;
  case OP_ASSIGN:
  case OP_LOAD:
  case OP_HAVOC: return !e->dst || !liveness_has(s->liveness, head, e->dst);
  case OP_CALL: {
    const Expr *callee = program_expr(s->program, e->a);
    return callee->kind == EXPR_FUNC && seqc_library_idles(s, (FuncId)callee->data) &&
           (!e->dst || !liveness_has(s->liveness, head, e->dst));
  }
  case OP_RETURN:
  case OP_GOTO:
  case OP_UNREACHABLE:
  case OP_STORE:
  case OP_RMW:
  case OP_CMPXCHG:
  case OPS_BULK:
  case OPS_STACK:
  case OPS_VA:
  case OP_ASSERT:
  case OP_EXIT:
  case OPS_THREAD:
  case OPS_SYNC: break;
  }
  return false;
}

/* Marks the nodes of the loop; false: the loop can be entered elsewhere. */
static bool find_loop(const Seqc *s, const Edge *back, uint8_t *inside) {
  const Function *f = seqc_function(s, s->function);
  inside[back->to - f->first_node] = 1;
  inside[back->from - f->first_node] = 1;
  for (bool more = back->from != back->to; more;) {
    more = false;
    for (EdgeId i = f->first_edge; i < f->first_edge + f->edge_count; i++) {
      const Edge *e = program_edge(s->program, i);
      if (!e->to || e->to == back->to || !inside[e->to - f->first_node] ||
          inside[e->from - f->first_node])
        continue;
      inside[e->from - f->first_node] = 1;
      more = true;
    }
  }
  return f->entry == back->to || !inside[f->entry - f->first_node];
}

bool seqc_is_idle_back(Seqc *s, EdgeId edge, bool *ret_looks) {
  enum { NODES_MOST = 5000 };
  const Edge *back = program_edge(s->program, edge);
  const Function *f = seqc_function(s, s->function);
  *ret_looks = false;
  if (!back->to || back->to > back->from || f->node_count > NODES_MOST) return false;
  uint8_t *inside = mem_alloc_zero(f->node_count + 1);
  bool idle = find_loop(s, back, inside);
  for (EdgeId i = f->first_edge; idle && i < f->first_edge + f->edge_count; i++) {
    const Edge *e = program_edge(s->program, i);
    if (!e->to || !inside[e->from - f->first_node] || !inside[e->to - f->first_node])
      continue;
    idle = is_harmless(s, i, back->to);
    if (seqc_is_noticed(s, i)) *ret_looks = true;
  }
  mem_free(inside);
  return idle;
}
