/* One function with some parameters fixed, as a new function. See clone.h.
 *
 * In: an original and what its parameters are known to be. Out: a new function at the end
 * of the tables, that does in every step what the original does when it is called with
 * these arguments. In three steps:
 *   1. Which locals are constants: the fixed parameters, and a local whose only
 *      definition is a copy of a constant, if every use comes after that definition (no
 *      use can be reached from the entry without passing it).
 *   2. Frame: locals without the fixed parameters, stack objects and allocation sites of
 *      its own, because they name their function and their edge.
 *   3. Expressions in ascending order, so that operands are there before what uses them;
 *      then nodes and edges, moved by a constant. A call through a pointer that has
 *      become a function is a direct call; it is marked if it does not fit, as the front
 *      does.
 * The order of nodes and edges is the original's, so both take the same steps. */
#include "model/clone.h"

#include "base/map.h"

#include <stdlib.h>

typedef struct {
  Builder *builder;
  Program *p;
  Function from; /* the original, as it was: the table moves */
  FuncId to;
  VEC(ExprId) exprs; /* all that the original uses, ascending */
  FuncId
      *constant; /* by place of a local in `from`: the function that it always is, or 0 */
  LocalId *local; /* by the same: the copy's local, 0 for a fixed parameter */
  Map expr_of;    /* expressions of the original to those of the copy */
  Map object_of;  /* likewise stack objects and allocation sites */
} Clone;

/* Nodes at the end of an unfinished program have no successor to look at. */
static EdgeId end_edge(const Program *p, const Function *f, NodeId n) {
  bool last = n + 1 == f->first_node + f->node_count;
  return last ? f->first_edge + f->edge_count : p->nodes.data[n + 1].first_edge;
}

static bool calls_twice_returning(const Program *p, const Edge *e) {
  if (e->op != OP_CALL) return false;
  const Expr *callee = program_expr(p, e->a);
  return callee->kind == EXPR_FUNC &&
         (p->functions.data[callee->data].flags & FUNCTION_RETURNS_TWICE);
}

bool clone_is_possible(const Program *p, FuncId function) {
  const Function *f = vec_at(&p->functions, function);
  if (!(f->flags & FUNCTION_DEFINED) || (f->flags & FUNCTION_VARARGS) ||
      function == p->main)
    return false;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p, f->first_edge + i);
    if (e->op == OP_GOTO || calls_twice_returning(p, e)) return false;
  }
  for (uint32_t i = 1; i < p->labels.len; i++)
    if (p->labels.data[i] >= f->first_node &&
        p->labels.data[i] - f->first_node < f->node_count)
      return false;
  return true;
}

/* ---- the original's expressions ---------------------------------------------------- */

static int compare_ids(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static void collect(Clone *c, ExprId e) {
  uint64_t *seen = e ? map_at(&c->expr_of, e) : NULL;
  if (seen && !*seen) {
    *seen = e;
    vec_push(&c->exprs, e);
  }
}

/* The vector is its own list of what is left to look at. */
static void collect_exprs(Clone *c) {
  const Program *p = c->p;
  for (uint32_t i = 0; i < c->from.edge_count; i++) {
    const Edge *e = program_edge(p, c->from.first_edge + i);
    collect(c, e->a);
    collect(c, e->b);
    collect(c, e->c);
    for (uint32_t k = 0; k < e->arg_count; k++)
      collect(c, vec_at(&p->args, e->first_arg + k)->value);
  }
  for (uint32_t i = 0; i < c->exprs.len; i++) {
    Expr e = *program_expr(p, c->exprs.data[i]);
    int operands = expr_operand_count((ExprKind)e.kind);
    if (operands >= 1) collect(c, e.a);
    if (operands >= 2) collect(c, e.b);
    if (operands >= 3) collect(c, e.c);
  }
  if (c->exprs.len)
    qsort(c->exprs.data, c->exprs.len, sizeof *c->exprs.data, compare_ids);
}

/* ---- which locals are constants ---------------------------------------------------- */

/* What an expression is known to be: a function of the constant locals. */
static FuncId known_function(const Clone *c, ExprId id) {
  const Expr *e = program_expr(c->p, id);
  return e->kind == EXPR_LOCAL ? c->constant[e->data - c->from.first_local] : 0;
}

/* Which expressions read the local, by expression. */
static void mark_readers(const Clone *c, LocalId local, Map *ret_readers) {
  for (uint32_t i = 0; i < c->exprs.len; i++) {
    ExprId id = c->exprs.data[i];
    const Expr *e = program_expr(c->p, id);
    int operands = expr_operand_count((ExprKind)e->kind);
    bool reads = (e->kind == EXPR_LOCAL && e->data == local) ||
                 (operands >= 1 && map_get(ret_readers, e->a)) ||
                 (operands >= 2 && map_get(ret_readers, e->b)) ||
                 (operands >= 3 && map_get(ret_readers, e->c));
    if (reads) map_put(ret_readers, id, 1);
  }
}

static bool edge_reads(const Clone *c, const Edge *e, const Map *readers) {
  bool reads = map_get(readers, e->a) || map_get(readers, e->b) || map_get(readers, e->c);
  for (uint32_t i = 0; i < e->arg_count && !reads; i++)
    reads = map_get(readers, vec_at(&c->p->args, e->first_arg + i)->value);
  return reads;
}

/* Every way from the entry to a use of the local leads over the edge `definition`. */
static bool is_defined_first(const Clone *c, LocalId local, EdgeId definition) {
  const Function *f = &c->from;
  Map readers = {0};
  mark_readers(c, local, &readers);
  uint8_t *seen = mem_alloc_zero(f->node_count);
  VEC(NodeId) todo = {0};
  bool first = true;
  seen[f->entry - f->first_node] = 1;
  vec_push(&todo, f->entry);
  while (todo.len && first) {
    NodeId n = vec_pop(&todo);
    for (EdgeId id = node_first_edge(c->p, n); id < end_edge(c->p, f, n); id++) {
      const Edge *e = program_edge(c->p, id);
      first = first && !edge_reads(c, e, &readers);
      if (id == definition || !e->to || seen[e->to - f->first_node]) continue;
      seen[e->to - f->first_node] = 1;
      vec_push(&todo, e->to);
    }
  }
  vec_free(&todo);
  mem_free(seen);
  map_free(&readers);
  return first;
}

/* Copies of constants. Edges come in reverse post-order, so one pass follows chains. */
static void find_constants(Clone *c, const FuncId *constants) {
  const Function *f = &c->from;
  uint8_t *definitions = mem_alloc_zero((size_t)f->local_count + 1);
  for (uint32_t i = 0; i < f->param_count; i++) {
    c->constant[i] = constants[i];
    definitions[i] = 1; /* by the caller */
  }
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(c->p, f->first_edge + i);
    const LocalId written[2] = {e->dst, e->dst2};
    for (int k = 0; k < 2; k++)
      if (written[k] && definitions[written[k] - f->first_local] < 2)
        definitions[written[k] - f->first_local]++;
  }
  for (uint32_t i = 0; i < f->param_count; i++)
    assert(!constants[i] || definitions[i] == 1);
  for (uint32_t i = 0; i < f->edge_count; i++) {
    EdgeId id = f->first_edge + i;
    const Edge *e = program_edge(c->p, id);
    FuncId value = e->op == OP_ASSIGN && e->dst ? known_function(c, e->a) : 0;
    uint32_t place = e->dst - f->first_local;
    if (value && definitions[place] == 1 && is_defined_first(c, e->dst, id))
      c->constant[place] = value;
  }
  mem_free(definitions);
}

/* ---- the copy's frame -------------------------------------------------------------- */

static void copy_locals(Clone *c, Function *copy) {
  Program *p = c->p;
  copy->first_local = p->locals.len;
  copy->first_passing = p->passings.len;
  copy->param_count = 0;
  for (uint32_t i = 0; i < c->from.local_count; i++) {
    bool param = i < c->from.param_count;
    if (param && c->constant[i]) continue;
    Local local = p->locals.data[c->from.first_local + i];
    c->local[i] = p->locals.len;
    vec_push(&p->locals, local);
    if (!param) continue;
    Passing passing = p->passings.data[c->from.first_passing + i];
    vec_push(&p->passings, passing);
    copy->param_count++;
  }
  copy->local_count = p->locals.len - copy->first_local;
}

static ObjectId copy_object(Clone *c, ObjectId id, EdgeId site) {
  Object object = *vec_at(&c->p->objects, id);
  object.site = site;
  if (object.owner) object.owner = c->to;
  vec_push(&c->p->objects, object);
  ObjectId copy = c->p->objects.len - 1;
  map_put(&c->object_of, id, copy);
  return copy;
}

static void copy_frame_objects(Clone *c, Function *copy) {
  copy->first_object = c->p->frame_objects.len;
  for (uint32_t i = 0; i < c->from.object_count; i++) {
    ObjectId id = c->p->frame_objects.data[c->from.first_object + i];
    vec_push(&c->p->frame_objects, copy_object(c, id, 0));
  }
}

/* ---- its expressions --------------------------------------------------------------- */

static ExprId moved(const Clone *c, ExprId e) {
  return e ? (ExprId)map_find(&c->expr_of, e, 0) : 0;
}

static ExprId copy_expr(Clone *c, ExprId id) {
  Expr e = *program_expr(c->p, id);
  int operands = expr_operand_count((ExprKind)e.kind);
  if (e.kind == EXPR_LOCAL) {
    uint32_t place = (uint32_t)e.data - c->from.first_local;
    return c->constant[place] ? builder_func(c->builder, c->constant[place])
                              : builder_local(c->builder, c->local[place]);
  }
  if (e.kind == EXPR_OBJECT) {
    uint64_t object = map_find(&c->object_of, e.data, 0);
    return object ? builder_object(c->builder, (ObjectId)object) : id;
  }
  if (operands == 0) return id;
  ExprId a = moved(c, e.a), b = operands >= 2 ? moved(c, e.b) : e.b;
  ExprId third = operands >= 3 ? moved(c, e.c) : e.c;
  if (a == e.a && b == e.b && third == e.c) return id;
  return builder_op(c->builder, (ExprKind)e.kind, (Sort)e.sort, e.bits, a, b, third);
}

static void copy_exprs(Clone *c) {
  for (uint32_t i = 0; i < c->exprs.len; i++) {
    ExprId copy = copy_expr(c, c->exprs.data[i]);
    map_put(&c->expr_of, c->exprs.data[i], copy);
  }
}

/* ---- its automaton ----------------------------------------------------------------- */

/* Rule E10 of the validator: the call fits the definition. */
static bool call_fits(const Program *p, const Edge *e, const Function *callee) {
  if (e->arg_count < callee->param_count ||
      (e->arg_count > callee->param_count && !(callee->flags & FUNCTION_VARARGS)))
    return false;
  for (uint32_t i = 0; i < callee->param_count; i++) {
    const Local *param = vec_at(&p->locals, callee->first_local + i);
    const Expr *value = program_expr(p, vec_at(&p->args, e->first_arg + i)->value);
    if (param->bits != value->bits || param->sort != value->sort) return false;
  }
  const Local *dst = vec_at(&p->locals, e->dst);
  return !e->dst ||
         (dst->bits == callee->return_bits && dst->sort == callee->return_sort);
}

static LocalId moved_local(const Clone *c, LocalId local) {
  return local ? c->local[local - c->from.first_local] : 0;
}

static void copy_call(Clone *c, const Edge *old, Edge *e) {
  Program *p = c->p;
  e->first_arg = p->args.len;
  for (uint32_t i = 0; i < e->arg_count; i++) {
    Arg arg = *vec_at(&p->args, old->first_arg + i);
    arg.value = moved(c, arg.value);
    vec_push(&p->args, arg);
  }
  const Expr *callee = program_expr(p, e->a);
  if (callee->kind != EXPR_FUNC || program_expr(p, old->a)->kind == EXPR_FUNC) return;
  e->path = 0;
  if (!call_fits(p, e, vec_at(&p->functions, callee->data))) e->flags |= EDGE_MISMATCH;
}

static void copy_edge(Clone *c, EdgeId id, uint32_t node_shift) {
  Edge old = *program_edge(c->p, id), e = old;
  e.from += node_shift;
  e.to += e.to ? node_shift : 0;
  e.dst = moved_local(c, e.dst);
  e.dst2 = moved_local(c, e.dst2);
  e.a = moved(c, e.a);
  e.b = moved(c, e.b);
  e.c = moved(c, e.c);
  if (e.op == OP_CALL) copy_call(c, &old, &e);
  if ((e.op == OP_CALL || e.op == OP_ALLOCA) && e.aux)
    e.aux = copy_object(c, e.aux, c->p->edges.len);
  vec_push(&c->p->edges, e);
}

static void copy_automaton(Clone *c, Function *copy) {
  Program *p = c->p;
  const Function *f = &c->from;
  uint32_t node_shift = p->nodes.len - f->first_node;
  copy->first_node = p->nodes.len;
  copy->entry = f->entry + node_shift;
  copy->first_edge = p->edges.len;
  for (uint32_t i = 0; i < f->node_count; i++) {
    NodeId n = f->first_node + i;
    EdgeId end = end_edge(p, f, n), first = node_first_edge(p, n);
    vec_push(&p->nodes, (Node){.first_edge = p->edges.len, .function = c->to});
    for (EdgeId id = first; id < end; id++) copy_edge(c, id, node_shift);
  }
}

FuncId clone_function(Builder *b, FuncId function, const FuncId *constants, Sym name) {
  Program *p = builder_program(b);
  Clone c = {.builder = b, .p = p, .from = *vec_at(&p->functions, function)};
  c.to = p->functions.len;
  c.constant = mem_alloc_zero((c.from.local_count + (size_t)1) * sizeof *c.constant);
  c.local = mem_alloc_zero((c.from.local_count + (size_t)1) * sizeof *c.local);
  collect_exprs(&c);
  find_constants(&c, constants);
  Function copy = c.from;
  copy.name = name;
  copy.flags = (copy.flags | FUNCTION_INTERNAL) & ~(uint32_t)FUNCTION_ADDRESS_TAKEN;
  copy_locals(&c, &copy);
  copy_frame_objects(&c, &copy);
  copy_exprs(&c);
  vec_push(&p->functions,
           copy); /* completed below; edges that call it call the original */
  copy_automaton(&c, &copy);
  *vec_last(&p->functions) = copy;
  vec_free(&c.exprs);
  mem_free(c.constant);
  mem_free(c.local);
  map_free(&c.expr_of);
  map_free(&c.object_of);
  return c.to;
}
