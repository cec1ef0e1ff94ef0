/* Is a slice closed? See slice.h. Each rule is looked at by itself, without a work list:
 *
 *   1  everything that stays in any case is kept;
 *   2  an edge that is cut sets no local that matters, writes no object that matters, and calls no
 *      function of which an edge is kept;
 *   3  the values that a kept edge uses matter: its operands, and what it reads. Excepted are a
 *      store's value if no contents of its targets matter, what is loaded into a local that does
 *      not matter, and what a function returns if nobody uses it;
 *   4  if the result of a call matters, so do the results of what it may call;
 *   5  on every way through a function each beginning of an atomic section that is cut is followed by
 *      an end that is cut, without anything between them that is kept and that others can notice.
 *
 * By 2 whatever is cut changes nothing that 3 allows a kept edge to see; branches that are cut go
 * either way. So each execution of the program is one of the slice. */
#include "analysis/slice.h"

#include "analysis/touch.h"
#include "base/mem.h"
#include "base/vec.h"

typedef struct {
  const SliceQuestion *q;
  const Program *p;
  const Slice *s;
  uint8_t *lively; /* by FuncId: has a kept edge */
  uint32_t *seen;  /* by ExprId: when it was looked at last */
  uint32_t stamp;
  bool some_object; /* the contents of some object matter */
  bool bad;
} Judge;

/* ---- rule 3 ---- */

static bool values_matter(Judge *j, ExprId root) {
  VEC(ExprId) stack = {0};
  bool ok = true;
  if (root) vec_push(&stack, root);
  while (stack.len && ok) {
    ExprId id = vec_pop(&stack);
    if (j->seen[id] == j->stamp) continue;
    j->seen[id] = j->stamp;
    const Expr *e = program_expr(j->p, id);
    if (e->kind == EXPR_LOCAL) ok = j->s->locals[e->data];
    int n = expr_operand_count((ExprKind)e->kind);
    if (n > 0) vec_push(&stack, e->a);
    if (n > 1) vec_push(&stack, e->b);
    if (n > 2) vec_push(&stack, e->c);
  }
  vec_free(&stack);
  return ok;
}

static void must_matter(void *user, const Touch *t) {
  Judge *j = user;
  if ((t->kind & TOUCH_READ) && !(t->kind & TOUCH_SYNC) && !j->s->objects[t->key])
    j->bad = true;
}

static void must_not_matter(void *user, const Touch *t) {
  Judge *j = user;
  bool anything = t->key == 0 && j->some_object; /* it may be what matters */
  if ((t->kind & TOUCH_WRITE) && (j->s->objects[t->key] || anything)) j->bad = true;
}

static bool touches_well(Judge *j, EdgeId id, TouchVisit *visit) {
  j->bad = false;
  touch_visit(j->p, j->q->pointsto, id, visit, j);
  return !j->bad;
}

static const char *judge_kept(Judge *j, EdgeId id, const Edge *e) {
  bool load = e->op == OP_LOAD, store = e->op == OP_STORE;
  FuncId function = vec_at(&j->p->nodes, e->from)->function;
  if (e->op == OP_RETURN && !j->s->results[function]) return NULL;
  j->stamp++;
  if (!values_matter(j, e->a)) return "uses a value that was cut";
  if (e->op != OP_NOP && !values_matter(j, e->c)) return "uses a value that was cut";
  for (uint32_t i = 0; e->op == OP_CALL && i < e->arg_count; i++)
    if (!values_matter(j, vec_at(&j->p->args, e->first_arg + i)->value))
      return "passes a value that was cut";
  if (!(store && touches_well(j, id, must_not_matter)) && !values_matter(j, e->b))
    return "stores a value that was cut";
  if (load && !j->s->locals[e->dst]) return NULL;
  return touches_well(j, id, must_matter) ? NULL : "reads contents that were cut";
}

/* ---- rules 2 and 4 ---- */

static const char *judge_cut(Judge *j, EdgeId id, const Edge *e) {
  const FuncId *callees;
  if (j->s->locals[e->dst] || j->s->locals[e->dst2]) return "sets a value that matters";
  if (!touches_well(j, id, must_not_matter)) return "writes contents that matter";
  if (e->op != OP_CALL && e->op != OP_CREATE && e->op != OP_ONCE) return NULL;
  uint32_t n = pointsto_callees(j->q->pointsto, id, &callees);
  for (uint32_t i = 0; i < n; i++)
    if (j->lively[callees[i]]) return "calls a function that matters";
  return NULL;
}

static bool results_matter(Judge *j, EdgeId id, const Edge *e) {
  const FuncId *callees;
  if (e->op != OP_CALL || !e->dst || !j->s->locals[e->dst]) return true;
  uint32_t n = pointsto_callees(j->q->pointsto, id, &callees);
  for (uint32_t i = 0; i < n; i++)
    if (!j->s->results[callees[i]]) return false;
  return true;
}

/* ---- rule 5 ---- */

static bool is_quiet(const Edge *e) {
  return e->op == OP_ASSIGN || e->op == OP_HAVOC || e->op == OP_ASSUME || e->op == OP_NOP;
}

/* How many sections that were cut are open behind an edge; -1: the rule is broken. */
static int open_behind(const Judge *j, EdgeId id, int open) {
  const Edge *e = program_edge(j->p, id);
  bool kept = j->s->edges[id];
  if (open && kept && !is_quiet(e)) return -1;
  if (!kept && e->op == OP_ATOMIC_BEGIN) open++;
  if (!kept && e->op == OP_ATOMIC_END) open--;
  return open > 0 && e->op == OP_RETURN ? -1 : open;
}

static bool sections_end(const Judge *j, const Function *f) {
  int *open =
      mem_alloc_zero((f->node_count + 1) * sizeof *open); /* + 1; 0: not come to */
  VEC(NodeId) todo = {0};
  bool ok = true;
  vec_push(&todo, f->entry);
  open[f->entry - f->first_node] = 1;
  while (todo.len && ok) {
    NodeId node = vec_pop(&todo);
    for (EdgeId id = node_first_edge(j->p, node); id < node_end_edge(j->p, node); id++) {
      NodeId to = program_edge(j->p, id)->to;
      int behind = open_behind(j, id, open[node - f->first_node] - 1);
      ok = ok && behind >= 0 &&
           (!to || !open[to - f->first_node] || open[to - f->first_node] == behind + 1);
      if (!ok || !to || open[to - f->first_node]) continue;
      open[to - f->first_node] = behind + 1;
      vec_push(&todo, to);
    }
  }
  vec_free(&todo);
  mem_free(open);
  return ok;
}

/* An edge without successor stays what it is, kept or not. */
static const char *judge(Judge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  if (!j->s->edges[id] && slice_always_keeps(j->q, id)) return "must stay, and was cut";
  if (!results_matter(j, id, e)) return "uses a result that was cut";
  if (j->s->edges[id]) return judge_kept(j, id, e);
  return e->to ? judge_cut(j, id, e) : NULL;
}

bool slice_check(const SliceQuestion *q, const Slice *s, Str *why) {
  const Program *p = q->program;
  Judge j = {.q = q, .p = p, .s = s};
  j.lively = mem_alloc_zero(p->functions.len + 1);
  j.seen = mem_alloc_zero((p->exprs.len + 1) * sizeof *j.seen);
  for (EdgeId e = 1; e < p->edges.len; e++)
    if (s->edges[e]) j.lively[p->nodes.data[program_edge(p, e)->from].function] = 1;
  for (uint32_t i = 0; i < touch_key_count(p, q->pointsto); i++)
    j.some_object = j.some_object || s->objects[i];
  const char *wrong = NULL;
  for (FuncId f = 1; f < p->functions.len && !wrong; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(q->pointsto, f))
      continue;
    for (uint32_t i = 0; i < function->edge_count && !wrong; i++) {
      EdgeId id = function->first_edge + i;
      wrong = judge(&j, id);
      if (wrong)
        str_addf(why, "line %u %s", p->locs.data[program_edge(p, id)->loc].line, wrong);
    }
    if (wrong || sections_end(&j, function)) continue;
    wrong = "has an atomic section of which a part was cut";
    str_addf(why, "%s %s", sym_text(p, function->name), wrong);
  }
  mem_free(j.lively);
  mem_free(j.seen);
  return !wrong;
}
