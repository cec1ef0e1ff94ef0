/* Which variables a step reads and writes. See automaton.h. */
#include "analysis/automaton.h"

#include "base/map.h"

typedef struct {
  const Automata *all;
  const Automaton *a;
  VariableVisit *visit;
  void *user;
} Visitor;

static void read_expr(const Visitor *v, ExprId root, uint32_t frame) {
  const Program *p = v->all->question.program;
  VEC(ExprId) stack = {0};
  Map seen = {0}; /* expressions share operands */
  if (root) vec_push(&stack, root);
  while (stack.len) {
    ExprId id = vec_pop(&stack);
    uint64_t *slot = map_at(&seen, id);
    if (*slot) continue;
    *slot = 1;
    const Expr *e = program_expr(p, id);
    if (e->kind == EXPR_LOCAL)
      v->visit(v->user, automaton_variable(v->all, v->a, frame, (LocalId)e->data), false);
    int n = expr_operand_count((ExprKind)e->kind);
    if (n > 0) vec_push(&stack, e->a);
    if (n > 1) vec_push(&stack, e->b);
    if (n > 2) vec_push(&stack, e->c);
  }
  map_free(&seen);
  vec_free(&stack);
}

static void write_local(const Visitor *v, const AutoStep *s, LocalId local) {
  if (local) v->visit(v->user, automaton_variable(v->all, v->a, s->frame, local), true);
}

static void visit_sets(const Visitor *v, const AutoStep *s) {
  for (uint32_t i = 0; i < s->set_count; i++) {
    const AutoSet *set = vec_at(&v->a->sets, s->first_set + i);
    if (set->kind == SET_EXPR) read_expr(v, set->expr, set->frame);
    if (set->kind == SET_VARIABLE) v->visit(v->user, set->source, false);
  }
  for (uint32_t i = 0; i < s->set_count; i++)
    v->visit(v->user, vec_at(&v->a->sets, s->first_set + i)->variable, true);
}

/* Sets say it all but for edges that stay what they are, and for the operands of calls. */
void automaton_visit_variables(const Automata *all, const Automaton *a, const AutoStep *s,
                               VariableVisit *visit, void *user) {
  const Program *p = all->question.program;
  const Edge *e = program_edge(p, s->edge);
  Visitor v = {all, a, visit, user};
  bool called = s->kind == STEP_ENTER || s->kind == STEP_OVER || s->kind == STEP_LIBRARY;
  if (s->kind == STEP_EDGE || s->kind == STEP_END || called) {
    read_expr(&v, e->a, s->frame);
    if (e->op != OP_CALL) read_expr(&v, e->b, s->frame);
    if (e->op != OP_CALL && e->op != OP_NOP) read_expr(&v, e->c, s->frame);
  }
  if (e->op == OP_CALL && (s->kind == STEP_OVER || s->kind == STEP_LIBRARY))
    for (uint32_t i = 0; i < e->arg_count; i++)
      read_expr(&v, vec_at(&p->args, e->first_arg + i)->value, s->frame);
  visit_sets(&v, s);
  if (s->kind != STEP_EDGE) return;
  write_local(&v, s, e->dst);
  write_local(&v, s, e->dst2);
}
