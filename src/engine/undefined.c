/* See undefined.h. Which operands an operation needs follows from what the table of
 * operations calls them. */
#include "engine/undefined.h"

#include "base/str.h"

typedef struct {
  const PointsTo *pt; /* or NULL */
  const Program *p;
  Arena *arena;
  EdgeId edge;         /* the first call that is surely undefined, or 0 */
  const char *why;     /* … and what is wrong with it */
  CheckResult *result; /* or NULL: assumptions are not wanted */
} Search;

/* ---- operands ---- */

static bool is_one_of(const char *what, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (str_eq(what, names[i])) return true;
  return false;
}

/* The operand must designate an object. */
static bool needs_object(const Edge *e, const char *what) {
  static const char *const names[] = {"lock",      "cond", "barrier",
                                      "semaphore", "flag", "id address"};
  if (str_eq(what, "deadline")) return e->attempt == ATTEMPT_TIMED;
  return is_one_of(what, names, sizeof names / sizeof *names);
}

static bool is_null(const Program *p, ExprId id) {
  const Expr *x = program_expr(p, id);
  return x->kind == EXPR_CONST && x->value == 0;
}

/* A variable that nothing is ever assigned to, in the function of the edge. */
static bool is_never_set(const Program *p, const Edge *e, ExprId id) {
  const Expr *x = program_expr(p, id);
  if (x->kind == EXPR_UNDEF) return true;
  if (x->kind != EXPR_LOCAL) return false;
  LocalId local = (LocalId)x->data;
  if (p->locals.data[local].flags & LOCAL_PARAM) return false;
  const Function *f = &p->functions.data[p->nodes.data[e->from].function];
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *other = program_edge(p, f->first_edge + i);
    if (other->dst == local || other->dst2 == local) return false;
  }
  return true;
}

static bool designates_nothing(const Search *s, ExprId id) {
  if (!s->pt) return false;
  Targets targets = pointsto_expr(s->pt, id);
  return !targets.count && !targets.unknown;
}

/* ---- calls ---- */

static void refuse(Search *s, EdgeId id, const char *how) {
  if (s->edge) return;
  s->edge = id;
  s->why = arena_printf(s->arena, "has undefined behaviour: the %s", how);
}

static void assume(Search *s, const Edge *e, const char *what) {
  if (!s->result) return;
  result_assume(s->result,
                arena_printf(s->arena,
                             "the operation %s is not reached: the %s that it is given "
                             "designates no object",
                             op_text((OpKind)e->op), what),
                place_of_loc(s->p, e->loc));
}

static void visit_operand(Search *s, EdgeId id, int i, ExprId operand) {
  const Edge *e = program_edge(s->p, id);
  const char *what = op_operand((OpKind)e->op, i);
  if (!operand || !*what) return;
  const char *op = op_text((OpKind)e->op);
  bool number = str_eq(what, "id");
  if (!number && !needs_object(e, what)) return;
  if (is_null(s->p, operand))
    refuse(s, id,
           arena_printf(s->arena, "%s of %s is %s", what, op, number ? "0" : "NULL"));
  else if (is_never_set(s->p, e, operand))
    refuse(s, id, arena_printf(s->arena, "%s of %s was never set", what, op));
  else if (!number && designates_nothing(s, operand))
    assume(s, e, what);
}

/* A thread's function gets one argument. */
static void visit_function(Search *s, EdgeId id) {
  const FuncId *functions;
  const Edge *e = program_edge(s->p, id);
  uint32_t n = s->pt ? pointsto_callees(s->pt, id, &functions) : 0;
  if (is_null(s->p, e->b)) refuse(s, id, "function of the thread is NULL");
  for (uint32_t i = 0; i < n; i++) {
    const Function *f = &s->p->functions.data[functions[i]];
    if (f->param_count > 1)
      refuse(s, id,
             arena_printf(s->arena,
                          "function %s of the thread has %u parameters and gets one",
                          sym_text(s->p, f->name), f->param_count));
  }
}

static void visit(Search *s, EdgeId id) {
  const Edge *e = program_edge(s->p, id);
  const ExprId operands[] = {e->a, e->b, e->c};
  for (int i = 0; i < 3; i++) visit_operand(s, id, i, operands[i]);
  if (e->op == OP_CREATE) visit_function(s, id);
}

/* To run over a structure with a pointer to the elements of one of its arrays is undefined; but a
 * pointer to the structure's bytes may begin at the same place. */
static void note_array(CheckResult *r, ObjectId object, const char *what) {
  if (!object) return;
  const Object *o = &r->program->objects.data[object];
  Assumed assumed = {.what = what, .place = place_of_loc(r->program, o->loc)};
  vec_push(&r->assumed, assumed);
}

static void note_arrays(const PointsTo *pt, CheckResult *r) {
  note_array(r, pointsto_front(pt),
             "a pointer that moves by elements over an array at the beginning of a "
             "structure stays in that array");
  note_array(r, pointsto_text(pt),
             "a pointer that moves byte by byte over an array of characters inside of a "
             "structure stays in that array");
}

static void visit_all(Search *s) {
  for (FuncId f = 1; f < s->p->functions.len; f++) {
    const Function *function = &s->p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED)) continue;
    if (s->pt && !pointsto_is_reachable(s->pt, f)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      visit(s, function->first_edge + i);
  }
}

void undefined_survey(Analyses *a) {
  Search s = {.pt = analyses_pointsto(a), .p = a->program, .arena = a->arena};
  visit_all(&s);
  caveat_note(&a->caveats, CAVEAT_UNDEFINED_CALL, s.edge, s.edge);
  a->caveats.text[CAVEAT_UNDEFINED_CALL] = s.why;
}

void undefined_tell(Analyses *a, CheckResult *r) {
  Search s = {
      .pt = analyses_pointsto(a), .p = a->program, .arena = r->arena, .result = r};
  if (s.pt) note_arrays(s.pt, r);
  visit_all(&s);
}
