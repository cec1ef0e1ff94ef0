/* Nodes with several edges. In: the edges that leave a node. Out: code that picks one.
 *
 * Two assumptions of which one is the other's negation are a branch; assumptions that
 * compare one value with different constants, and a last one for everything else, are a
 * switch. Only where neither can be seen from the conditions alone are all of them
 * computed, and where several hold (or an edge has no condition) the scheduler chooses.
 */
#include "model/exec/eval_parts.h"

#include <stdlib.h>

static const Expr *expr_at(const Gen *g, ExprId e) {
  return vec_at(&g->program->exprs, e);
}

static bool is_not_of(Gen *g, ExprId a, ExprId b) {
  const Expr *x = expr_at(g, a);
  uint64_t one;
  return x->kind == EXPR_XOR && x->bits == 1 && x->a == b && gen_const(g, x->b, &one) &&
         one == 1;
}

/* Exactly one of the two holds, whatever the values. */
static bool opposite(Gen *g, ExprId a, ExprId b) {
  if (is_not_of(g, a, b) || is_not_of(g, b, a)) return true;
  const Expr *x = expr_at(g, a), *y = expr_at(g, b);
  bool same = x->a == y->a && x->b == y->b, crossed = x->a == y->b && x->b == y->a;
  switch ((ExprKind)x->kind) {
  case EXPR_EQ: return y->kind == EXPR_NE && same;
  case EXPR_NE: return y->kind == EXPR_EQ && same;
  case EXPR_ULT: return y->kind == EXPR_ULE && crossed;
  case EXPR_ULE: return y->kind == EXPR_ULT && crossed;
  case EXPR_SLT: return y->kind == EXPR_SLE && crossed;
  case EXPR_SLE: return y->kind == EXPR_SLT && crossed;
  default: return false;
  }
}

/* ---- switches ---- */

typedef VEC(uint64_t) Numbers;

/* The constants of an or of equalities (`want` EXPR_EQ) or an and of inequalities
 * (EXPR_NE) of one value; false when the condition is something else. *subject: 0, or the
 * value. */
static bool collect(Gen *g, ExprId e, ExprKind want, ExprId *subject, Numbers *out) {
  const Expr *x = expr_at(g, e);
  uint64_t number;
  if (x->kind == (want == EXPR_EQ ? EXPR_OR : EXPR_AND) && x->bits == 1)
    return collect(g, x->a, want, subject, out) && collect(g, x->b, want, subject, out);
  if (x->kind == EXPR_XOR && x->bits == 1 && gen_const(g, x->b, &number) && number == 1)
    return collect(g, x->a, want == EXPR_EQ ? EXPR_NE : EXPR_EQ, subject, out);
  if (x->kind != want || expr_at(g, x->a)->bits > 64 || !gen_const(g, x->b, &number))
    return false;
  if (*subject && *subject != x->a) return false;
  *subject = x->a;
  vec_push(out, number);
  return true;
}

static int order_cases(const void *a, const void *b) {
  const Case *x = a, *y = b;
  return x->value < y->value ? -1 : x->value > y->value;
}

static int order_numbers(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/* The default's constants must be just those of the cases. */
static bool same_numbers(const Case *cases, uint32_t count, Numbers *rest) {
  qsort(rest->data, rest->len, sizeof *rest->data, order_numbers);
  uint32_t unique = 0;
  for (uint32_t i = 0; i < rest->len; i++)
    if (i == 0 || rest->data[i] != rest->data[i - 1])
      rest->data[unique++] = rest->data[i];
  if (unique != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (cases[i].value != rest->data[i]) return false;
  return true;
}

static void emit_switch(Gen *g, EdgeId first, ExprId subject, const Case *cases,
                        uint32_t count, NodeId otherwise) {
  Code *code = g->code;
  SwitchTable table = {.first_case = code->cases.len, .otherwise = otherwise};
  uint64_t range = cases[count - 1].value - cases[0].value;
  table.dense = range < 4 * (uint64_t)count + 8;
  if (table.dense) {
    table.low = cases[0].value;
    for (uint64_t i = 0, next = 0; i <= range; i++) {
      bool hit = cases[next].value == table.low + i;
      Case c = {.value = table.low + i, .target = hit ? cases[next].target : otherwise};
      vec_push(&g->late_cases, code->cases.len);
      vec_push(&code->cases, c);
      next += hit;
    }
  } else {
    for (uint32_t i = 0; i < count; i++) {
      vec_push(&g->late_cases, code->cases.len);
      vec_push(&code->cases, cases[i]);
    }
  }
  table.case_count = code->cases.len - table.first_case;
  vec_push(&code->switches, table);
  gen_begin_edge(g, first);
  uint32_t slot = gen_expr(g, subject);
  gen_ins(g, INS_SWITCH, 0, slot, code->switches.len - 1);
}

static bool try_switch(Gen *g, EdgeId first, EdgeId end) {
  const Edge *edges = g->program->edges.data;
  ExprId subject = 0;
  EdgeId rest = 0; /* the edge for everything else */
  VEC(Case) cases = {0};
  Numbers numbers = {0};
  bool good = true;
  for (EdgeId e = first; e < end && good; e++) {
    vec_clear(&numbers);
    ExprId before = subject;
    if (!(edges[e].flags & EDGE_DEFAULT) &&
        collect(g, edges[e].a, EXPR_EQ, &subject, &numbers)) {
      for (uint32_t i = 0; i < numbers.len; i++)
        vec_push(&cases, (Case){.value = numbers.data[i], .target = edges[e].to});
    } else {
      subject = before;
      good = !rest;
      rest = e;
    }
  }
  good = good && rest && cases.len;
  if (good) {
    qsort(cases.data, cases.len, sizeof *cases.data, order_cases);
    for (uint32_t i = 1; i < cases.len; i++)
      good = good && cases.data[i].value != cases.data[i - 1].value;
    vec_clear(&numbers);
    good = good && ((edges[rest].flags & EDGE_DEFAULT) ||
                    (collect(g, edges[rest].a, EXPR_NE, &subject, &numbers) &&
                     same_numbers(cases.data, cases.len, &numbers)));
  }
  if (good) emit_switch(g, first, subject, cases.data, cases.len, edges[rest].to);
  vec_free(&cases);
  vec_free(&numbers);
  return good;
}

/* ---- the general case ---- */

static void emit_choice(Gen *g, EdgeId first, EdgeId end, NodeId next) {
  Code *code = g->code;
  const Edge *edges = g->program->edges.data;
  Choice choice = {.first = code->options.len, .count = end - first};
  Option *options = mem_alloc_zero((end - first) * sizeof *options);
  gen_begin_edge(g, first);
  for (EdgeId e = first; e < end; e++) {
    options[e - first].edge = e;
    if (edges[e].op == OP_ASSUME) options[e - first].condition = gen_expr(g, edges[e].a);
  }
  vec_push(&code->choices, choice);
  gen_ins(g, INS_CHOICE, 0, code->choices.len - 1, 0);
  for (uint32_t i = 0; i < choice.count; i++) vec_push(&code->options, options[i]);
  mem_free(options);
  for (EdgeId e = first; e < end; e++) {
    uint32_t i = choice.first + (e - first);
    if (edges[e].op == OP_ASSUME) {
      code->options.data[i].target = edges[e].to;
      vec_push(&g->late_options, i);
    } else {
      code->options.data[i].target = g->ins.len;
      gen_edge(g, e, e + 1 < end ? 0 : next);
    }
  }
}

static void emit_branch(Gen *g, ExprId condition, EdgeId edge, NodeId to) {
  gen_begin_edge(g, edge);
  uint32_t branch = gen_branch(g, condition);
  g->ins.data[branch].d = to;
  vec_push(&g->fixups, branch);
}

/* A single condition: without the other side there is nowhere else to go. */
static void emit_lone_assumption(Gen *g, EdgeId edge) {
  const Edge *e = program_edge(g->program, edge);
  emit_branch(g, e->a, edge, e->to);
  gen_ins(g, INS_STUCK, 0, 0, 0);
}

static void emit_pair(Gen *g, EdgeId first, NodeId next) {
  const Edge *x = program_edge(g->program, first), *y = x + 1;
  if (x->to == next) {
    emit_branch(g, y->a, first, y->to);
    return;
  }
  emit_branch(g, x->a, first, x->to);
  gen_jump(g, y->to, next);
}

static void emit_goto(Gen *g, EdgeId first) {
  gen_begin_edge(g, first);
  uint32_t slot = gen_expr(g, program_edge(g->program, first)->a);
  gen_ins(g, INS_GOTO, 0, slot, 0);
}

/* In a stepwise machine the caller picks the edge: each has its own entry. */
static void emit_stepwise(Gen *g, const Function *f, EdgeId first, EdgeId end) {
  g->edge = first;
  gen_ins(g, INS_YIELD, 0, 0, 0);
  for (EdgeId e = first; e < end; e++) {
    const Edge *edge = program_edge(g->program, e);
    g->code->edge_start[e - f->first_edge] = g->ins.len;
    if (edge->op == OP_ASSUME || edge->op == OP_GOTO) {
      gen_begin_edge(g, e);
      gen_jump(g, edge->to, 0);
    } else {
      gen_edge(g, e, 0);
    }
  }
}

void gen_node(Gen *g, const Function *f, NodeId node, NodeId next) {
  EdgeId first = node_first_edge(g->program, node), end = node_end_edge(g->program, node);
  const Edge *edges = g->program->edges.data;
  g->begins = false;
  if (first == end) {
    g->edge = 0;
    gen_ins(g, INS_STUCK, 0, 0, 0);
    return;
  }
  if (g->exec->stepwise) {
    emit_stepwise(g, f, first, end);
    return;
  }
  bool all_assume = true, all_goto = true;
  for (EdgeId e = first; e < end; e++) {
    all_assume = all_assume && edges[e].op == OP_ASSUME;
    all_goto = all_goto && edges[e].op == OP_GOTO && edges[e].a == edges[first].a;
  }
  if (all_goto)
    emit_goto(g, first);
  else if (end - first == 1 && all_assume)
    emit_lone_assumption(g, first);
  else if (end - first == 1)
    gen_edge(g, first, next);
  else if (end - first == 2 && all_assume &&
           opposite(g, edges[first].a, edges[first + 1].a))
    emit_pair(g, first, next);
  else if (!all_assume || !try_switch(g, first, end))
    emit_choice(g, first, end, next);
}
