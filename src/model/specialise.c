/* Copies of functions for the functions they are given. See specialise.h.
 *
 * In: the tables before builder_finish. Out: the same program with copies at their end.
 *
 * A parameter is wanted if it is never assigned and
 *   - it is called, or run by ONCE, or the entry of a CREATE, or handed to a library
 *     function that calls it back;
 *   - or it is an argument where the callee or entry is itself a parameter: once that is
 *     known, the argument may matter;
 *   - or it is passed on as a wanted parameter of another function.
 * "It" may be a local that holds nothing but a copy of the parameter.
 *
 * Then all edges are visited once. A direct CALL, or a CREATE of a constant function,
 * that passes functions with a body for wanted parameters is redirected to the copy for
 * just these functions, which is made if it is not there yet; the arguments are dropped,
 * as the copy has no such parameters. The edges of copies come at the end of the table
 * and are visited in turn. That ends: there is one copy for each original and tuple of
 * functions, and a budget.
 *
 * An argument that was dropped no longer takes the address of a function; the flag that
 * says so is cleared here and set by templates_compute where there is another reason for
 * it. */
#include "model/specialise.h"

#include "base/map.h"
#include "base/str.h"
#include "model/clone.h"

enum { MAX_PARAMS = 32, MAX_COPIES_OF_LOCALS = 16 };

typedef struct {
  Builder *builder;
  Program *p;
  uint32_t originals; /* functions from here on are copies */
  uint8_t *defined;   /* by local of originals: how many edges write it, at most 2 */
  LocalId *source;    /* by local: what its only definition copies, or 0 */
  uint8_t *wanted;    /* by local: a parameter that is worth a copy */
  VEC(LocalId) news;  /* wanted, callers not yet looked at */
  FuncId *owner;      /* by local */
  uint32_t *start; /* function f is started by the edges starts[start[f] .. start[f+1]) */
  EdgeId *starts;
  uint8_t *possible; /* by function: 0 not asked yet, 1 it can be copied, 2 it cannot */
  StrMap made;       /* original and constants to the copy */
  uint32_t copies, max_copies;
  uint32_t edges, max_edges;
} Work;

/* ---- which parameters are wanted --------------------------------------------------- */

static FuncId function_of(const Program *p, ExprId id) {
  const Expr *e = program_expr(p, id);
  return e->kind == EXPR_FUNC ? (FuncId)e->data : 0;
}

/* What a CALL or CREATE starts, if that is constant. */
static FuncId started(const Program *p, const Edge *e) {
  if (e->op == OP_CALL) return function_of(p, e->a);
  if (e->op == OP_CREATE) return function_of(p, e->b);
  return 0;
}

static uint32_t argument_count(const Edge *e) {
  return e->op == OP_CREATE ? 1 : e->arg_count;
}

static ExprId argument(const Program *p, const Edge *e, uint32_t i) {
  return e->op == OP_CREATE ? e->c : vec_at(&p->args, e->first_arg + i)->value;
}

/* The parameter that an expression is a copy of, or 0. */
static LocalId parameter_behind(const Work *w, ExprId id) {
  const Expr *e = program_expr(w->p, id);
  if (e->kind != EXPR_LOCAL) return 0;
  LocalId local = (LocalId)e->data;
  for (int i = 0; local && i < MAX_COPIES_OF_LOCALS; i++) {
    if (w->p->locals.data[local].flags & LOCAL_PARAM)
      return w->defined[local] ? 0 : local;
    local = w->source[local];
  }
  return 0;
}

static void want(Work *w, ExprId id) {
  LocalId param = parameter_behind(w, id);
  if (param && !w->wanted[param]) {
    w->wanted[param] = 1;
    vec_push(&w->news, param);
  }
}

static void want_arguments(Work *w, const Edge *e) {
  for (uint32_t i = 0; i < argument_count(e); i++) want(w, argument(w->p, e, i));
}

/* Callbacks of library functions: qsort, bsearch, on_exit. */
static void want_callbacks(Work *w, const Edge *e, const Function *callee) {
  for (uint32_t i = 0; i < callee->effect_count; i++) {
    const Effect *x = vec_at(&w->p->effects, callee->first_effect + i);
    if ((x->kind == EFFECT_CALL || x->kind == EFFECT_CALL_LATER) && x->arg < e->arg_count)
      want(w, argument(w->p, e, x->arg));
  }
}

static void want_by_edge(Work *w, const Edge *e) {
  if (e->op == OP_ONCE) {
    want(w, e->b);
  } else if (e->op == OP_CALL || e->op == OP_CREATE) {
    FuncId direct = started(w->p, e);
    ExprId target = e->op == OP_CALL ? e->a : e->b;
    if (direct && e->op == OP_CALL)
      want_callbacks(w, e, vec_at(&w->p->functions, direct));
    if (direct || !parameter_behind(w, target)) return;
    want(w, target);
    want_arguments(w, e);
  }
}

/* Callers that pass a parameter of their own for a wanted one. */
static void want_by_callers(Work *w, LocalId param) {
  FuncId f = w->owner[param];
  uint32_t place = param - w->p->functions.data[f].first_local;
  for (uint32_t i = w->start[f]; i < w->start[f + 1]; i++) {
    const Edge *e = program_edge(w->p, w->starts[i]);
    if (place < argument_count(e)) want(w, argument(w->p, e, place));
  }
}

/* ---- indices ----------------------------------------------------------------------- */

static void index_locals(Work *w) {
  const Program *p = w->p;
  for (FuncId f = 1; f < p->functions.len; f++)
    for (uint32_t i = 0; i < p->functions.data[f].local_count; i++)
      w->owner[p->functions.data[f].first_local + i] = f;
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = &p->edges.data[id];
    const LocalId written[2] = {e->dst, e->dst2};
    for (int i = 0; i < 2; i++) {
      LocalId local = written[i];
      if (!local) continue;
      const Expr *value = program_expr(p, e->a);
      bool copy = !w->defined[local] && e->op == OP_ASSIGN && value->kind == EXPR_LOCAL;
      w->source[local] = copy ? (LocalId)value->data : 0;
      if (w->defined[local] < 2) w->defined[local]++;
    }
  }
}

/* By counting sort. */
static void index_starts(Work *w) {
  const Program *p = w->p;
  for (EdgeId id = 1; id < p->edges.len; id++) {
    FuncId f = started(p, &p->edges.data[id]);
    w->start[f] += f != 0;
  }
  for (uint32_t f = 1; f <= p->functions.len; f++) w->start[f] += w->start[f - 1];
  for (EdgeId id = p->edges.len; id-- > 1;) {
    FuncId f = started(p, &p->edges.data[id]);
    if (f) w->starts[--w->start[f]] = id;
  }
}

static void find_wanted(Work *w) {
  index_locals(w);
  index_starts(w);
  for (EdgeId id = 1; id < w->p->edges.len; id++) want_by_edge(w, &w->p->edges.data[id]);
  while (w->news.len) {
    LocalId param = vec_pop(&w->news);
    want_by_callers(w, param);
  }
}

/* ---- copies ------------------------------------------------------------------------ */

/* The functions that an edge passes for wanted parameters; false if there are none. */
static bool find_constants(const Work *w, const Edge *e, FuncId callee,
                           FuncId *ret_constants) {
  const Program *p = w->p;
  const Function *f = vec_at(&p->functions, callee);
  bool any = false;
  /* copies have got all that there is; a call that does not fit passes something else */
  if (callee >= w->originals || !(f->flags & FUNCTION_DEFINED) ||
      (e->flags & EDGE_MISMATCH) || f->param_count != argument_count(e) ||
      f->param_count > MAX_PARAMS)
    return false;
  for (uint32_t i = 0; i < f->param_count; i++) {
    FuncId passed = function_of(p, argument(p, e, i));
    const Local *param = vec_at(&p->locals, f->first_local + i);
    bool fits = passed && (p->functions.data[passed].flags & FUNCTION_DEFINED) &&
                param->sort == SORT_PTR && w->wanted[f->first_local + i];
    ret_constants[i] = fits ? passed : 0;
    any = any || fits;
  }
  return any;
}

static bool is_possible(Work *w, FuncId f) {
  if (!w->possible[f]) w->possible[f] = clone_is_possible(w->p, f) ? 1 : 2;
  return w->possible[f] == 1;
}

static Sym copy_name(const Work *w, FuncId f, const FuncId *constants) {
  const Program *p = w->p;
  const Function *function = vec_at(&p->functions, f);
  Str name = {0};
  const char *between = "(";
  str_add(&name, sym_text(p, function->name));
  for (uint32_t i = 0; i < function->param_count; i++) {
    if (!constants[i]) continue;
    str_add(&name, between);
    str_add(&name, sym_text(p, p->functions.data[constants[i]].name));
    between = ", ";
  }
  str_add_char(&name, ')');
  Sym sym = builder_sym(w->builder, str_text(&name));
  str_free(&name);
  return sym;
}

/* The copy of `f` for these functions; 0 if it cannot be or is beyond the budget. */
static FuncId find_copy(Work *w, FuncId f, const FuncId *constants) {
  const Function *function = vec_at(&w->p->functions, f);
  FuncId key[MAX_PARAMS + 1] = {f};
  for (uint32_t i = 0; i < function->param_count; i++) key[i + 1] = constants[i];
  size_t length = (function->param_count + 1) * sizeof *key;
  uint64_t *known = strmap_get(&w->made, (const char *)key, length);
  if (known) return (FuncId)*known;
  if (!is_possible(w, f) || w->copies >= w->max_copies ||
      function->edge_count > w->max_edges - w->edges)
    return 0;
  w->copies++;
  w->edges += function->edge_count;
  FuncId copy = clone_function(w->builder, f, constants, copy_name(w, f, constants));
  *strmap_at(&w->made, (const char *)key, length) = copy;
  return copy;
}

/* Starts the copy instead, without the arguments that it knows. */
static void redirect(Work *w, EdgeId id, FuncId copy, const FuncId *constants) {
  Program *p = w->p;
  ExprId target = builder_func(w->builder, copy);
  Edge *e = vec_at(&p->edges, id);
  for (uint32_t i = 0; i < argument_count(e); i++)
    if (constants[i])
      p->functions.data[constants[i]].flags &= ~(uint32_t)FUNCTION_ADDRESS_TAKEN;
  if (e->op == OP_CREATE) {
    e->b = target;
    e->c = builder_const(w->builder, SORT_PTR, 64, 0);
    return;
  }
  e->a = target;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < e->arg_count; i++)
    if (!constants[i])
      p->args.data[e->first_arg + kept++] = p->args.data[e->first_arg + i];
  e->arg_count = kept;
}

static void visit(Work *w, EdgeId id) {
  FuncId constants[MAX_PARAMS];
  Edge e = *program_edge(w->p, id);
  FuncId f = started(w->p, &e);
  if (!f || !find_constants(w, &e, f, constants)) return;
  FuncId copy = find_copy(w, f, constants);
  if (copy) redirect(w, id, copy, constants);
}

uint32_t specialise_functions(Builder *builder, uint32_t max_copies, uint32_t max_edges) {
  Program *p = builder_program(builder);
  size_t locals = (size_t)p->locals.len + 1, functions = (size_t)p->functions.len + 2;
  Work w = {
      .builder = builder,
      .p = p,
      .originals = p->functions.len,
      .defined = mem_alloc_zero(locals),
      .source = mem_alloc_zero(locals * sizeof(LocalId)),
      .wanted = mem_alloc_zero(locals),
      .owner = mem_alloc_zero(locals * sizeof(FuncId)),
      .start = mem_alloc_zero(functions * sizeof(uint32_t)),
      .starts = mem_alloc(((size_t)p->edges.len + 1) * sizeof(EdgeId)),
      .possible = mem_alloc_zero(functions),
      .max_copies = max_copies,
      .max_edges = max_edges,
  };
  find_wanted(&w);
  for (EdgeId id = 1; id < p->edges.len; id++) visit(&w, id);
  vec_free(&w.news);
  mem_free(w.defined);
  mem_free(w.source);
  mem_free(w.wanted);
  mem_free(w.owner);
  mem_free(w.start);
  mem_free(w.starts);
  mem_free(w.possible);
  strmap_free(&w.made);
  return w.copies;
}
