/* See slice.h. A work list of edges that are kept; whatever a kept edge depends on is kept too.
 *
 *   data     the locals in its operands: all edges that set them. Memory that it reads into
 *            something that matters: all edges that write those objects. What a kept store
 *            writes matters only if the contents of its target do, which may turn out later.
 *   control  the branches that decide whether it is come to (control.h), and the exits of loops
 *            that read shared memory or synchronise on their way: they wait for somebody, unless they
 *            count.
 *   calls    all calls of its function.
 *   sections the beginning and the end of the atomic section around it, if others can notice it. */
#include "analysis/slice.h"

#include "analysis/control.h"
#include "analysis/slice_loops.h"
#include "analysis/slice_sections.h"
#include "analysis/touch.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/op_access.h"

#include <string.h>

typedef VEC(uint32_t) Numbers;

typedef struct {
  EdgeId edge;
  uint32_t offset, size; /* as in Touch */
} Writer;

typedef VEC(Writer) WriterVec;

typedef struct {
  const SliceQuestion *q;
  const Program *p;
  const PointsTo *pt;
  Slice *s;
  Arena *arena;
  Numbers work;      /* edges whose dependences are to be looked at */
  Control **control; /* by FuncId, made when needed */
  Sections sections;
  uint8_t *reached;   /* by FuncId: some edge of it is kept, so its calls are */
  Numbers *setters;   /* by LocalId: edges that set it */
  WriterVec *writers; /* by key */
  uint32_t key_count;
  EdgeId edge; /* that is looked at */
  bool found;
  bool some_object; /* the contents of some object matter */
} Slicer;

/* A section is kept as a whole. */
static void need_section(Slicer *x, EdgeId edge) {
  const Sections *s = &x->sections;
  uint32_t section = slice_section_of(s, x->p, edge);
  if (!section || slice_section_ignores(program_edge(x->p, edge))) return;
  for (uint32_t i = s->first[section]; i < s->first[section + 1]; i++)
    if (!x->s->edges[s->operations[i]]) {
      x->s->edges[s->operations[i]] = 1;
      vec_push(&x->work, s->operations[i]);
    }
}

/* An edge that is kept already is looked at again: more of it may matter now. */
static void keep(Slicer *x, EdgeId edge) {
  x->s->edges[edge] = 1;
  vec_push(&x->work, edge);
  need_section(x, edge);
}

/* ---- memory ---- */

static void need_object(Slicer *x, uint32_t key);

/* Memory of unknown origin may be anything. */
static void need_outside(Slicer *x) {
  for (uint32_t key = 1; key < x->key_count; key++) need_object(x, key);
}

static void need_object(Slicer *x, uint32_t key) {
  if (x->s->objects[key]) return;
  x->s->objects[key] = 1;
  x->some_object = true;
  if (key == 0) need_outside(x);
  uint32_t from[] = {key, 0};
  for (int k = 0; k < (key ? 2 : 1); k++)
    for (uint32_t i = 0; i < x->writers[from[k]].len; i++)
      keep(x, x->writers[from[k]].data[i].edge);
}

enum { LARGEST_SYNC = 64 };

/* The bytes of a lock are data where a plain store makes them. */
static void need_sync(Slicer *x, const Touch *t) {
  const WriterVec *list = &x->writers[t->key];
  for (uint32_t i = 0; i < list->len; i++) {
    const Writer *w = &list->data[i];
    bool anywhere = w->offset == OFFSET_ANY || t->offset == OFFSET_ANY || !w->size;
    if (anywhere || ((uint64_t)w->offset < (uint64_t)t->offset + LARGEST_SYNC &&
                     (uint64_t)t->offset < (uint64_t)w->offset + w->size))
      if (!x->s->edges[w->edge]) keep(x, w->edge);
  }
}

static void need_read(void *user, const Touch *t) {
  Slicer *x = user;
  if (t->kind & TOUCH_SYNC)
    need_sync(x, t);
  else if (t->kind & TOUCH_READ)
    need_object(x, t->key);
}

static void matters_to(void *user, const Touch *t) {
  Slicer *x = user;
  bool anything = t->key == 0 && x->some_object; /* it may be what matters */
  if ((t->kind & TOUCH_WRITE) && (x->s->objects[t->key] || anything)) x->found = true;
}

static bool writes_what_matters(Slicer *x, EdgeId edge) {
  x->found = false;
  touch_visit(x->p, x->pt, edge, matters_to, x);
  return x->found;
}

/* ---- values ---- */

static void need_local(Slicer *x, LocalId local) {
  if (!local || x->s->locals[local]) return;
  x->s->locals[local] = 1;
  for (uint32_t i = 0; i < x->setters[local].len; i++) keep(x, x->setters[local].data[i]);
}

static void need_value(Slicer *x, ExprId root) {
  Numbers stack = {0};
  Map seen = {0}; /* expressions share operands */
  if (root) vec_push(&stack, root);
  while (stack.len) {
    ExprId id = vec_pop(&stack);
    uint64_t *slot = map_at(&seen, id);
    if (*slot) continue;
    *slot = 1;
    const Expr *e = program_expr(x->p, id);
    if (e->kind == EXPR_LOCAL) need_local(x, (LocalId)e->data);
    int n = expr_operand_count((ExprKind)e->kind);
    if (n > 0) vec_push(&stack, e->a);
    if (n > 1) vec_push(&stack, e->b);
    if (n > 2) vec_push(&stack, e->c);
  }
  map_free(&seen);
  vec_free(&stack);
}

/* ---- control ---- */

static void keep_branch(Slicer *x, const Function *f, uint32_t node) {
  NodeId id = f->first_node + node;
  for (EdgeId e = node_first_edge(x->p, id); e < node_end_edge(x->p, id); e++)
    if (!x->s->edges[e]) keep(x, e);
}

static Control *control_of(Slicer *x, FuncId function) {
  if (!x->control[function])
    x->control[function] =
        control_new(x->p, vec_at(&x->p->functions, function), x->arena);
  return x->control[function];
}

static void note_shared_read(void *user, const Touch *t) {
  Slicer *x = user;
  bool own = t->key && t->key < x->p->objects.len &&
             x->p->objects.data[t->key].kind != OBJECT_GLOBAL &&
             sharing_is_private(x->q->sharing, t->key);
  if ((t->kind & TOUCH_READ) && !own) x->found = true;
}

static bool loop_waits(Slicer *x, const Function *f, const NodeList *loop) {
  x->found = false;
  for (uint32_t i = 0; i < loop->count && !x->found; i++) {
    NodeId id = f->first_node + loop->nodes[i];
    for (EdgeId e = node_first_edge(x->p, id); e < node_end_edge(x->p, id); e++) {
      const Edge *edge = program_edge(x->p, e);
      touch_visit(x->p, x->pt, e, note_shared_read, x);
      if (!op_has(edge->op, OP_INNER) && edge->op != OP_LOAD && edge->op != OP_STORE)
        x->found = true;
    }
  }
  return x->found;
}

static bool leaves(const Slicer *x, const Function *f, uint32_t node,
                   const uint8_t *inside) {
  NodeId id = f->first_node + node;
  for (EdgeId e = node_first_edge(x->p, id); e < node_end_edge(x->p, id); e++) {
    NodeId to = program_edge(x->p, e)->to;
    if (!to || !inside[to - f->first_node]) return true;
  }
  return false;
}

static void keep_waits(Slicer *x, FuncId function) {
  const Function *f = vec_at(&x->p->functions, function);
  const Control *c = control_of(x, function);
  uint8_t *inside = mem_alloc_zero(f->node_count + 1);
  for (uint32_t k = 0; k < c->loop_count; k++) {
    const NodeList *loop = &c->loops[k];
    if (!loop_waits(x, f, loop)) continue;
    memset(inside, 0, f->node_count + 1);
    for (uint32_t i = 0; i < loop->count; i++) inside[loop->nodes[i]] = 1;
    if (slice_loop_counts(x->p, f, loop, inside)) continue;
    for (uint32_t i = 0; i < loop->count; i++)
      if (leaves(x, f, loop->nodes[i], inside)) keep_branch(x, f, loop->nodes[i]);
  }
  mem_free(inside);
}

static void reach(Slicer *x, FuncId function) {
  const EdgeId *callers;
  if (x->reached[function]) return;
  x->reached[function] = 1;
  uint32_t n = pointsto_callers(x->pt, function, &callers);
  for (uint32_t i = 0; i < n; i++)
    if (!x->s->edges[callers[i]]) keep(x, callers[i]);
}

static void need_control(Slicer *x, EdgeId edge) {
  NodeId from = program_edge(x->p, edge)->from;
  FuncId function = vec_at(&x->p->nodes, from)->function;
  const Function *f = vec_at(&x->p->functions, function);
  const NodeList *branches = &control_of(x, function)->of[from - f->first_node];
  for (uint32_t i = 0; i < branches->count; i++) keep_branch(x, f, branches->nodes[i]);
  reach(x, function);
}

/* ---- the closure ---- */

static void need_results(Slicer *x, FuncId function) {
  const Function *f = vec_at(&x->p->functions, function);
  if (x->s->results[function]) return;
  x->s->results[function] = 1;
  for (uint32_t i = 0; i < f->edge_count; i++)
    if (program_edge(x->p, f->first_edge + i)->op == OP_RETURN)
      keep(x, f->first_edge + i);
}

/* All arguments of a kept call matter: most calls that are kept are there for what they are
 * given. */
static void depend_on_call(Slicer *x, EdgeId id, const Edge *e) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(x->pt, id, &callees);
  for (uint32_t i = 0; i < n; i++)
    if (e->dst && x->s->locals[e->dst]) need_results(x, callees[i]);
  need_value(x, e->a);
  for (uint32_t i = 0; i < e->arg_count; i++)
    need_value(x, vec_at(&x->p->args, e->first_arg + i)->value);
  touch_visit(x->p, x->pt, id, need_read, x);
}

static void depend(Slicer *x, EdgeId id) {
  const Edge *e = program_edge(x->p, id);
  FuncId function = vec_at(&x->p->nodes, e->from)->function;
  need_control(x, id);
  if (e->op == OP_CALL) {
    depend_on_call(x, id, e);
  } else if (e->op == OP_LOAD) {
    need_value(x, e->a);
    if (x->s->locals[e->dst]) touch_visit(x->p, x->pt, id, need_read, x);
  } else if (e->op == OP_STORE) {
    need_value(x, e->a);
    if (writes_what_matters(x, id)) need_value(x, e->b);
  } else if (e->op != OP_RETURN || x->s->results[function]) {
    need_value(x, e->a);
    need_value(x, e->b);
    if (e->op != OP_NOP) need_value(x, e->c);
    touch_visit(x->p, x->pt, id, need_read, x);
  }
}

/* ---- the beginning ---- */

bool slice_always_keeps(const SliceQuestion *q, EdgeId id) {
  const Edge *e = program_edge(q->program, id);
  if (q->visible[id]) return true;
  if (e->op == OP_CALL) return touch_call_lingers(q->program, q->pointsto, id);
  if (e->op == OP_ASSUME) return e->flags & EDGE_USER;
  if (e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_RMW || e->op == OP_CMPXCHG)
    return false; /* atomics order nothing where nobody looks at them */
  if (e->op == OP_ATOMIC_BEGIN || e->op == OP_ATOMIC_END) return false; /* rule 5 */
  return e->op == OP_STACK_RESTORE || !op_has(e->op, OP_INNER | OP_LAST) ||
         e->op == OP_EXIT_THREAD || e->op == OP_EXIT;
}

static void note_writer(void *user, const Touch *t) {
  Slicer *x = user;
  if (t->kind & TOUCH_WRITE)
    vec_push(&x->writers[t->key], ((Writer){x->edge, t->offset, t->size}));
}

static void survey(Slicer *x, const Function *f) {
  for (uint32_t i = 0; i < f->edge_count; i++) {
    EdgeId id = f->first_edge + i;
    const Edge *e = program_edge(x->p, id);
    x->s->edge_count++;
    x->edge = id;
    touch_visit(x->p, x->pt, id, note_writer, x);
    if (e->dst) vec_push(&x->setters[e->dst], id);
    if (e->dst2) vec_push(&x->setters[e->dst2], id);
  }
}

/* The beginning or the end of a section of which it is not known where it ends or begins. */
static bool is_loose(const Slicer *x, EdgeId id) {
  const Edge *e = program_edge(x->p, id);
  return (e->op == OP_ATOMIC_BEGIN || e->op == OP_ATOMIC_END) &&
         !slice_section_of(&x->sections, x->p, id);
}

/* Parameters are set by calls: a parameter matters only in a function that is reached, whose
 * calls are all kept, and all their arguments matter. */
static void begin(Slicer *x) {
  for (FuncId f = 1; f < x->p->functions.len; f++) {
    const Function *function = &x->p->functions.data[f];
    if ((function->flags & FUNCTION_DEFINED) && pointsto_is_reachable(x->pt, f))
      survey(x, function);
  }
  for (FuncId f = 1; f < x->p->functions.len; f++) {
    const Function *function = &x->p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(x->pt, f))
      continue;
    keep_waits(x, f); /* who waits, or ends everything, keeps others from what follows */
    for (uint32_t i = 0; i < function->edge_count; i++)
      if (slice_always_keeps(x->q, function->first_edge + i) ||
          is_loose(x, function->first_edge + i))
        keep(x, function->first_edge + i);
  }
}

static void end(Slicer *x) {
  for (EdgeId e = 1; e < x->p->edges.len; e++) x->s->kept_count += x->s->edges[e];
  for (uint32_t i = 0; i < x->key_count; i++) vec_free(&x->writers[i]);
  for (uint32_t i = 0; i < x->p->locals.len; i++) vec_free(&x->setters[i]);
  mem_free(x->writers);
  mem_free(x->setters);
  mem_free(x->control);
  mem_free(x->reached);
  slice_sections_free(&x->sections);
  vec_free(&x->work);
  arena_free(x->arena);
}

Slice *slice_new(const SliceQuestion *q) {
  enum { POLL_EVERY = 256 };
  const Program *p = q->program;
  Slicer x = {.q = q, .p = p, .pt = q->pointsto, .arena = arena_new()};
  x.key_count = touch_key_count(p, q->pointsto);
  x.s = mem_alloc_zero(sizeof *x.s);
  x.s->edges = mem_alloc_zero(p->edges.len + 1);
  x.s->locals = mem_alloc_zero(p->locals.len + 1);
  x.s->objects = mem_alloc_zero(x.key_count + 1);
  x.s->results = mem_alloc_zero(p->functions.len + 1);
  x.control = mem_alloc_zero((p->functions.len + 1) * sizeof *x.control);
  x.reached = mem_alloc_zero(p->functions.len + 1);
  x.setters = mem_alloc_zero((p->locals.len + 1) * sizeof *x.setters);
  x.writers = mem_alloc_zero((x.key_count + 1) * sizeof *x.writers);
  slice_sections_new(p, &x.sections);
  begin(&x);
  bool stopped = false;
  for (uint32_t n = 0; x.work.len && !stopped; n++) {
    depend(&x, vec_pop(&x.work));
    stopped = n % POLL_EVERY == 0 && q->stop && *q->stop;
  }
  Slice *s = x.s;
  end(&x);
  if (!stopped) return s;
  slice_free(s);
  return NULL;
}

void slice_free(Slice *s) {
  if (!s) return;
  mem_free(s->edges);
  mem_free(s->locals);
  mem_free(s->objects);
  mem_free(s->results);
  mem_free(s);
}

/* ---- the view ---- */

void slice_view(const Program *p, const Slice *s, Program *view) {
  *view = *p;
  view->mapping = NULL;
  view->edges.data = mem_alloc((p->edges.len + 1) * sizeof *p->edges.data);
  memcpy(view->edges.data, p->edges.data, p->edges.len * sizeof *p->edges.data);
  for (EdgeId id = 1; id < p->edges.len; id++) {
    Edge *e = &view->edges.data[id];
    if (s->edges[id] || !e->to) continue; /* what has no successor stays an end */
    *e = (Edge){.from = e->from, .to = e->to, .op = OP_NOP, .loc = e->loc};
  }
}

void slice_view_free(Program *view) {
  mem_free(view->edges.data);
  *view = (Program){0};
}
