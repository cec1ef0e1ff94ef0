/* Thread templates from CREATE edges, with multiplicities that are proofs.
 *
 * In: the finished tables. Out: Program.templates, and FUNCTION_ADDRESS_TAKEN.
 *
 * A template is ONE only if its CREATE edge provably runs at most once:
 *   - the edge is on no cycle of its automaton (its ends lie in different strongly
 *   connected
 *     components, by Tarjan's algorithm), and its function does not call setjmp, which
 *     could bring control back;
 *   - its function runs at most once: there is exactly one thing that starts it (being
 *   main,
 *     a constructor or destructor, one direct call, one ONCE edge, one CREATE edge), that
 *     thing runs at most once itself, and its address is not taken, so no pointer reaches
 *     it.
 * A function with several starting points is taken to run many times even where they
 * exclude each other, and without a main every function that other files can see does.
 * Functions without a body are taken not to call the program's functions by name; what
 * they get as a pointer has its address taken.
 *
 * Which functions a CREATE edge may start: the function operand is followed backwards
 * through copies between locals and through the parameters of functions that are only
 * called directly (a wrapper around pthread_create). When that ends in anything but
 * functions, every function whose address is taken and that fits may be meant.
 *
 * Everything is linear in the program (the backward search: for each CREATE edge without
 * a constant function) and without recursion. */
#include "model/templates.h"

#include <stdlib.h>

typedef VEC(uint32_t) IdVec;

typedef struct {
  Program *program;
  uint8_t *used;       /* by expression: its value goes somewhere */
  uint32_t *component; /* by node: number of its strongly connected component */
  uint8_t *jumps;      /* by function: calls something that returns twice */
  uint32_t *starts;    /* by function: how many things start it (2: or more) */
  uint8_t *uncalled;   /* by function: something else than a direct call starts it */
  EdgeId *start_edge;  /* by function: the edge that starts it, when there is one */
  uint8_t *once;       /* by function: ONCE_* below */
  uint32_t
      *def_start; /* local l is defined by edges defs[def_start[l] .. def_start[l+1]) */
  EdgeId *defs;
  uint32_t *call_start; /* function f is called by edges calls[call_start[f] .. [f+1]) */
  EdgeId *calls;
} Work;

enum { ONCE_OPEN, ONCE_ASKED, ONCE_YES, ONCE_NO };

/* The function that an edge starts directly, through its operand `operand`; or 0. */
static FuncId constant_function(const Program *p, ExprId operand) {
  const Expr *e = program_expr(p, operand);
  return e->kind == EXPR_FUNC ? (FuncId)e->data : 0;
}

static FuncId edge_starts(const Program *p, const Edge *e) {
  if (e->op == OP_CALL) return constant_function(p, e->a);
  if (e->op == OP_CREATE || e->op == OP_ONCE) return constant_function(p, e->b);
  return 0;
}

/* ---- addresses --------------------------------------------------------------------- */

static void mark_roots(Work *w) {
  Program *p = w->program;
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = &p->edges.data[id];
    FuncId direct = edge_starts(p, e);
    w->used[e->a] |= !(direct && e->op == OP_CALL);
    w->used[e->b] |= !(direct && e->op != OP_CALL);
    w->used[e->c] = 1;
    for (uint32_t i = 0; i < e->arg_count; i++)
      w->used[p->args.data[e->first_arg + i].value] = 1;
  }
  for (uint32_t i = 1; i < p->relocs.len; i++) w->used[p->relocs.data[i].target] = 1;
}

/* Operands have smaller numbers, so one pass downwards reaches every leaf. */
static void find_taken_addresses(Work *w) {
  Program *p = w->program;
  mark_roots(w);
  for (ExprId id = p->exprs.len; id-- > 1;) {
    const Expr *e = &p->exprs.data[id];
    if (!w->used[id]) continue;
    int operands = expr_operand_count((ExprKind)e->kind);
    if (operands >= 1) w->used[e->a] = 1;
    if (operands >= 2) w->used[e->b] = 1;
    if (operands >= 3) w->used[e->c] = 1;
    if (e->kind == EXPR_FUNC) p->functions.data[e->data].flags |= FUNCTION_ADDRESS_TAKEN;
  }
}

/* ---- cycles ------------------------------------------------------------------------ */

/* Tarjan's strongly connected components of all automata, with explicit stacks. */
static void find_components(Work *w) {
  const Program *p = w->program;
  uint32_t n = p->nodes.len;
  uint32_t *index = mem_alloc_zero(n * sizeof *index); /* order of discovery, from 1 */
  uint32_t *low = mem_alloc_zero(n * sizeof *low);
  EdgeId *next = mem_alloc_zero(n * sizeof *next);
  IdVec path = {0}, open = {0};
  uint32_t found = 0, components = 0;
  for (NodeId root = 1; root + 1 < n; root++) {
    if (index[root]) continue;
    vec_push(&path, root);
    while (path.len) {
      NodeId v = *vec_last(&path);
      if (!index[v]) {
        index[v] = low[v] = ++found;
        next[v] = node_first_edge(p, v);
        vec_push(&open, v);
      }
      if (next[v] < node_end_edge(p, v)) {
        NodeId to = p->edges.data[next[v]++].to;
        if (to && !index[to])
          vec_push(&path, to);
        else if (to && !w->component[to] && index[to] < low[v])
          low[v] = index[to];
        continue;
      }
      (void)vec_pop(&path);
      if (path.len && low[v] < low[*vec_last(&path)]) low[*vec_last(&path)] = low[v];
      if (low[v] != index[v]) continue;
      components++;
      NodeId member;
      do {
        member = vec_pop(&open);
        w->component[member] = components;
      } while (member != v);
    }
  }
  vec_free(&path);
  vec_free(&open);
  mem_free(index);
  mem_free(low);
  mem_free(next);
}

/* ---- what starts what -------------------------------------------------------------- */

static void add_start(Work *w, FuncId f, EdgeId edge) {
  if (w->starts[f] < 2) w->starts[f]++;
  w->uncalled[f] |= !edge || program_edge(w->program, edge)->op != OP_CALL;
  w->start_edge[f] = edge;
}

static void find_starts(Work *w) {
  const Program *p = w->program;
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = &p->edges.data[id];
    FuncId f = edge_starts(p, e);
    if (!f) continue;
    add_start(w, f, id);
    if (e->op == OP_CALL && (p->functions.data[f].flags & FUNCTION_RETURNS_TWICE))
      w->jumps[p->nodes.data[e->from].function] = 1;
  }
  if (p->main) add_start(w, p->main, 0);
  for (uint32_t i = 1; i < p->constructors.len; i++)
    add_start(w, p->constructors.data[i].function, 0);
  for (uint32_t i = 1; i < p->destructors.len; i++)
    add_start(w, p->destructors.data[i].function, 0);
}

static bool on_cycle(const Work *w, const Edge *e) {
  return e->to && w->component[e->from] == w->component[e->to];
}

/* The answer where it follows from `f` alone, else ONCE_OPEN with the function to ask
 * next. */
static uint8_t once_alone(const Work *w, FuncId f, FuncId *ret_parent) {
  const Program *p = w->program;
  const Function *function = &p->functions.data[f];
  if (function->flags & FUNCTION_ADDRESS_TAKEN) return ONCE_NO;
  if (!p->main && !(function->flags & FUNCTION_INTERNAL)) return ONCE_NO;
  if (w->starts[f] == 0) return ONCE_YES; /* never runs */
  if (w->starts[f] > 1) return ONCE_NO;
  if (!w->start_edge[f]) return ONCE_YES; /* main, a constructor or a destructor */
  const Edge *e = program_edge(p, w->start_edge[f]);
  *ret_parent = p->nodes.data[e->from].function;
  return on_cycle(w, e) || w->jumps[*ret_parent] ? ONCE_NO : ONCE_OPEN;
}

/* Whether `f` runs at most once: up the chain of its only callers, then back down. A
 * chain that comes back to itself is a recursion. */
static bool runs_once(Work *w, FuncId f) {
  IdVec chain = {0};
  uint8_t answer = w->once[f];
  while (answer == ONCE_OPEN) {
    FuncId parent = 0;
    answer = once_alone(w, f, &parent);
    w->once[f] = ONCE_ASKED;
    vec_push(&chain, f);
    if (answer == ONCE_OPEN) {
      f = parent;
      answer = w->once[f] == ONCE_ASKED ? ONCE_NO : w->once[f];
    }
  }
  for (uint32_t i = 0; i < chain.len; i++) w->once[chain.data[i]] = answer;
  vec_free(&chain);
  return answer == ONCE_YES;
}

static bool edge_runs_once(Work *w, const Edge *e) {
  FuncId f = w->program->nodes.data[e->from].function;
  return !on_cycle(w, e) && !w->jumps[f] && runs_once(w, f);
}

/* ---- which function a pointer may be ----------------------------------------------- */

/* Both indices by counting sort: definitions of each local, direct calls of each
 * function. */
static void index_definitions(Work *w) {
  const Program *p = w->program;
  for (int pass = 0; pass < 2; pass++) {
    for (EdgeId id = p->edges.len; id-- > 1;) {
      const Edge *e = &p->edges.data[id];
      FuncId callee = e->op == OP_CALL ? constant_function(p, e->a) : 0;
      if (pass == 0) {
        w->def_start[e->dst] += e->dst != 0;
        w->def_start[e->dst2] += e->dst2 != 0;
        w->call_start[callee] += callee != 0;
        continue;
      }
      if (e->dst) w->defs[--w->def_start[e->dst]] = id;
      if (e->dst2) w->defs[--w->def_start[e->dst2]] = id;
      if (callee) w->calls[--w->call_start[callee]] = id;
    }
    if (pass == 1) break;
    for (uint32_t i = 1; i <= p->locals.len; i++) w->def_start[i] += w->def_start[i - 1];
    for (uint32_t i = 1; i <= p->functions.len; i++)
      w->call_start[i] += w->call_start[i - 1];
  }
}

typedef struct {
  Work *work;
  uint8_t *seen; /* by expression */
  IdVec todo;    /* expressions to look at */
  IdVec found;   /* functions */
  FuncId *local_owner;
} Search;

static void search_push(Search *s, ExprId e) {
  if (!s->seen[e]) {
    s->seen[e] = 1;
    vec_push(&s->todo, e);
  }
}

/* Everything a local may have been given; false when one source is not a plain copy. */
static bool search_local(Search *s, LocalId local) {
  const Work *w = s->work;
  const Program *p = w->program;
  for (uint32_t i = w->def_start[local]; i < w->def_start[local + 1]; i++) {
    const Edge *e = program_edge(p, w->defs[i]);
    if (e->op != OP_ASSIGN) return false;
    search_push(s, e->a);
  }
  if (!(p->locals.data[local].flags & LOCAL_PARAM)) return true;
  FuncId f = s->local_owner[local];
  const Function *function = &p->functions.data[f];
  bool hidden = (function->flags & FUNCTION_ADDRESS_TAKEN) || w->uncalled[f] ||
                (!p->main && !(function->flags & FUNCTION_INTERNAL));
  if (hidden) return false;
  for (uint32_t i = w->call_start[f]; i < w->call_start[f + 1]; i++) {
    const Edge *e = program_edge(p, w->calls[i]);
    uint32_t position = local - function->first_local;
    if (position >= e->arg_count) return false;
    search_push(s, p->args.data[e->first_arg + position].value);
  }
  return true;
}

/* The functions that `operand` may be; false when that cannot be told. */
static bool search_functions(Search *s, ExprId operand) {
  const Program *p = s->work->program;
  IdVec visited = {0};
  bool known = true;
  vec_clear(&s->todo);
  vec_clear(&s->found);
  search_push(s, operand);
  while (s->todo.len) {
    ExprId id = vec_pop(&s->todo);
    const Expr *e = program_expr(p, id);
    vec_push(&visited, id);
    if (e->kind == EXPR_FUNC)
      vec_push(&s->found, (FuncId)e->data);
    else if (e->kind == EXPR_ITE)
      search_push(s, e->b), search_push(s, e->c);
    else if (e->kind == EXPR_LOCAL)
      known = known && search_local(s, (LocalId)e->data);
    else if (!(e->kind == EXPR_CONST && e->value == 0))
      known = false; /* NULL starts nothing; anything else may be any function */
  }
  for (uint32_t i = 0; i < visited.len; i++) s->seen[visited.data[i]] = 0;
  vec_free(&visited);
  return known;
}

static bool fits_thread(const Function *f) {
  return (f->flags & FUNCTION_DEFINED) && (f->flags & FUNCTION_ADDRESS_TAKEN) &&
         f->param_count <= 1;
}

/* ---- the templates ----------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Nothing starts it: what is left of a function when all its calls go to copies. */
static bool never_runs(const Work *w, FuncId f) {
  const Program *p = w->program;
  return p->main && !w->starts[f] &&
         !(p->functions.data[f].flags & FUNCTION_ADDRESS_TAKEN);
}

static void add_templates(Search *s, EdgeId site) {
  Program *p = s->work->program;
  const Edge *e = program_edge(p, site);
  if (never_runs(s->work, p->nodes.data[e->from].function)) return;
  ThreadTemplate t = {.site = site,
                      .multiplicity = edge_runs_once(s->work, e) ? MULTIPLICITY_ONE
                                                                 : MULTIPLICITY_MANY};
  bool known = search_functions(s, e->b);
  if (!known) {
    vec_clear(&s->found);
    for (FuncId f = 1; f < p->functions.len; f++)
      if (fits_thread(&p->functions.data[f])) vec_push(&s->found, f);
  }
  if (s->found.len)
    qsort(s->found.data, s->found.len, sizeof *s->found.data, compare_ids);
  for (uint32_t i = 0; i < s->found.len; i++) {
    t.entry = s->found.data[i];
    vec_push(&p->templates, t);
  }
  if (!s->found.len) vec_push(&p->templates, t);
}

static FuncId *owners_of_locals(const Program *p) {
  FuncId *owner = mem_alloc_zero(((size_t)p->locals.len + 1) * sizeof *owner);
  for (FuncId f = 1; f < p->functions.len; f++)
    for (uint32_t i = 0; i < p->functions.data[f].local_count; i++)
      owner[p->functions.data[f].first_local + i] = f;
  return owner;
}

static void fill(Work *w) {
  Program *p = w->program;
  find_taken_addresses(w);
  find_components(w);
  find_starts(w);
  index_definitions(w);
  Search search = {.work = w,
                   .seen = mem_alloc_zero((size_t)p->exprs.len + 1),
                   .local_owner = owners_of_locals(p)};
  for (EdgeId id = 1; id < p->edges.len; id++)
    if (p->edges.data[id].op == OP_CREATE) add_templates(&search, id);
  vec_free(&search.todo);
  vec_free(&search.found);
  mem_free(search.seen);
  mem_free(search.local_owner);
}

void templates_compute(Program *p) {
  assert(!p->mapping);
  vec_clear(&p->templates);
  (void)vec_extend(&p->templates, 1);
  if (p->main) {
    ThreadTemplate main = {.entry = p->main, .multiplicity = MULTIPLICITY_ONE};
    vec_push(&p->templates, main);
  }
  if (p->exprs.len == 0 || p->nodes.len == 0) return;
  size_t functions = (size_t)p->functions.len + 2, locals = (size_t)p->locals.len + 2;
  Work w = {
      .program = p,
      .used = mem_alloc_zero(p->exprs.len),
      .component = mem_alloc_zero(p->nodes.len * sizeof(uint32_t)),
      .jumps = mem_alloc_zero(functions),
      .starts = mem_alloc_zero(functions * sizeof(uint32_t)),
      .uncalled = mem_alloc_zero(functions),
      .start_edge = mem_alloc_zero(functions * sizeof(EdgeId)),
      .once = mem_alloc_zero(functions),
      .def_start = mem_alloc_zero(locals * sizeof(uint32_t)),
      .defs = mem_alloc(((size_t)p->edges.len * 2 + 1) * sizeof(EdgeId)),
      .call_start = mem_alloc_zero(functions * sizeof(uint32_t)),
      .calls = mem_alloc(((size_t)p->edges.len + 1) * sizeof(EdgeId)),
  };
  fill(&w);
  mem_free(w.used);
  mem_free(w.component);
  mem_free(w.jumps);
  mem_free(w.starts);
  mem_free(w.uncalled);
  mem_free(w.start_edge);
  mem_free(w.once);
  mem_free(w.def_start);
  mem_free(w.defs);
  mem_free(w.call_start);
  mem_free(w.calls);
}
