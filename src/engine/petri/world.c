/* See world.h. Everything here is a summary of points-to, sharing and flow; nothing is
 * decided that those do not say. */
#include "engine/petri/world.h"

#include "engine/atomics.h"

/* ---- what runs once ---- */

/* Some path leads from one node of a function to another. */
static bool leads_to(const Program *p, NodeId from, NodeId to) {
  const Function *f = vec_at(&p->functions, p->nodes.data[from].function);
  uint8_t *seen = mem_alloc_zero(f->node_count + 1);
  VEC(NodeId) stack = {0};
  bool found = false;
  vec_push(&stack, from);
  while (stack.len && !found) {
    NodeId n = vec_pop(&stack);
    found = n == to;
    if (seen[n - f->first_node]) continue;
    seen[n - f->first_node] = 1;
    for (EdgeId e = node_first_edge(p, n); e < node_end_edge(p, n); e++)
      if (program_edge(p, e)->to) vec_push(&stack, program_edge(p, e)->to);
  }
  vec_free(&stack);
  mem_free(seen);
  return found;
}

static bool names_function(const Program *p, const Edge *e, FuncId function) {
  const Expr *callee = program_expr(p, e->op == OP_CALL     ? e->a
                                       : e->op == OP_CREATE ? e->b
                                                            : 0);
  return callee->kind == EXPR_FUNC && callee->data == function;
}

static bool edge_once(const World *w, EdgeId edge, int depth);

/* It is entered at most once: by the start of the program, or by one edge that is. */
static bool function_once(const World *w, FuncId function, int depth) {
  enum { DEEPEST = 16 };
  const Program *p = w->program;
  const EdgeId *callers;
  uint32_t n = pointsto_callers(w->pointsto, function, &callers);
  if (depth > DEEPEST) return false;
  for (uint32_t i = 1; i < p->constructors.len; i++)
    if (p->constructors.data[i].function == function) return false;
  if (function == p->main) return n == 0;
  return n == 1 && names_function(p, program_edge(p, callers[0]), function) &&
         edge_once(w, callers[0], depth + 1);
}

static bool edge_once(const World *w, EdgeId edge, int depth) {
  const Edge *e = program_edge(w->program, edge);
  if (e->to && leads_to(w->program, e->to, e->from)) return false;
  return function_once(w, w->program->nodes.data[e->from].function, depth);
}

bool pn_world_runs_once(const World *w, EdgeId edge) {
  return edge_once(w, edge, 0);
}

/* ---- objects ---- */

static bool is_single(const World *w, const Object *o) {
  if (o->flags & OBJECT_EXTERNAL) return false;
  switch ((ObjectKind)o->kind) {
  case OBJECT_GLOBAL: return true;
  case OBJECT_STACK:
    return !(o->flags & OBJECT_DYNAMIC) && !(o->flags & OBJECT_PARAM) && o->owner &&
           function_once(w, o->owner, 0);
  case OBJECT_HEAP: return o->site && pn_world_runs_once(w, o->site);
  default: return false;
  }
}

static void judge_objects(World *w) {
  const Program *p = w->program;
  uint8_t *foreign = mem_alloc_zero(p->objects.len + 1);
  for (uint32_t i = 0; i < w->flow->accesses.len; i++) {
    const FlowAccess *x = &w->flow->accesses.data[i];
    if (x->thread) foreign[pointsto_object(w->pointsto, x->object)] = 1;
  }
  for (ObjectId o = 1; o < p->objects.len; o++) {
    const Object *object = &p->objects.data[o];
    w->single[o] = is_single(w, object);
    if (object->flags & (OBJECT_EXTERNAL | OBJECT_DYNAMIC)) continue;
    if (object->kind == OBJECT_STACK && sharing_is_private(w->flow->sharing, o))
      w->owned[o] = OWNED_FRAME;
    else if (object->kind == OBJECT_GLOBAL && !foreign[o] &&
             !pointsto_escapes(w->pointsto, o))
      w->owned[o] = OWNED_MAIN;
  }
  mem_free(foreign);
}

/* Elements of arrays are one to the points-to analysis. */
bool pn_world_is_plain(const World *w, ObjectId object, uint32_t offset) {
  enum { LARGEST_SCANNED = 4096 };
  uint64_t size = vec_at(&w->program->objects, object)->size;
  if (offset == OFFSET_ANY || !size || size > LARGEST_SCANNED || offset >= size)
    return false;
  for (uint64_t i = 0; i < size; i++)
    if (i != offset && pointsto_fold_offset(w->pointsto, object, i) == offset)
      return false;
  return true;
}

/* ---- accesses ---- */

static bool is_watched(const World *w, const FlowAccess *x) {
  ObjectId object = pointsto_object(w->pointsto, x->object);
  if (object && w->question->racy && w->question->racy[object]) return false;
  return !object || !w->question->watched || w->question->watched[object];
}

bool pn_world_may_conflict(const World *w, uint32_t a, uint32_t b) {
  return w->question->conflict(w->flow, vec_at(&w->flow->accesses, a),
                               vec_at(&w->flow->accesses, b));
}

static void find_alone(World *w) {
  w->alone = arena_alloc_zero(w->arena, w->program->edges.len + 1);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < w->flow->accesses.len; i++) {
      const FlowAccess *x = &w->flow->accesses.data[i];
      bool alone = !x->thread && !x->alive;
      if (alone == !pass) w->alone[x->edge] = alone;
    }
}

/* Marks the accesses that have a partner. Quadratic in the accesses to one object. */
static void find_partners(const World *w, uint8_t *partner) {
  uint32_t n = w->flow->accesses.len;
  for (uint32_t a = 0; a < n; a++) {
    if (!is_watched(w, &w->flow->accesses.data[a])) continue;
    for (uint32_t b = a; b < n; b++) {
      if (w->flow->accesses.data[a].object != w->flow->accesses.data[b].object) continue;
      if ((partner[a] && partner[b]) || !pn_world_may_conflict(w, a, b)) continue;
      partner[a] = partner[b] = 1;
    }
  }
}

static void sort_accesses(World *w) {
  uint32_t n = w->flow->accesses.len;
  size_t edges = w->program->edges.len;
  uint8_t *partner = mem_alloc_zero(n + 1);
  find_partners(w, partner);
  w->first_access = arena_alloc_zero(w->arena, (edges + 2) * sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++)
    if (partner[i]) w->first_access[w->flow->accesses.data[i].edge + 1]++;
  for (size_t e = 0; e <= edges; e++) w->first_access[e + 1] += w->first_access[e];
  uint32_t total = w->first_access[edges + 1];
  uint32_t *next = mem_alloc_zero((edges + 2) * sizeof *next);
  memcpy(next, w->first_access, (edges + 2) * sizeof *next);
  if (total) memset(vec_extend(&w->accesses, total), 0, total * sizeof(uint32_t));
  for (uint32_t i = 0; i < n; i++)
    if (partner[i]) w->accesses.data[next[w->flow->accesses.data[i].edge]++] = i;
  mem_free(next);
  mem_free(partner);
}

/* ---- locals that branches look at ---- */

typedef struct {
  VEC(ExprId) stack;
  uint32_t *seen;
  uint32_t stamp;
} Walk;

static bool mark_locals(World *w, Walk *walk, ExprId root) {
  bool fresh = false;
  walk->stamp++;
  vec_push(&walk->stack, root);
  while (walk->stack.len) {
    ExprId id = vec_pop(&walk->stack);
    if (!id || walk->seen[id] == walk->stamp) continue;
    walk->seen[id] = walk->stamp;
    const Expr *e = program_expr(w->program, id);
    if (e->kind == EXPR_LOCAL) {
      fresh = fresh || !w->tested[e->data];
      w->tested[e->data] = 1;
    }
    int n = expr_operand_count((ExprKind)e->kind);
    if (n > 0) vec_push(&walk->stack, e->a);
    if (n > 1) vec_push(&walk->stack, e->b);
    if (n > 2) vec_push(&walk->stack, e->c);
  }
  return fresh;
}

/* A heuristic: which loaded values are worth following. Results and arguments count, for
 * the test may lie in another function; so do addresses, which name locks. */
static void find_tested(World *w) {
  const Program *p = w->program;
  Walk walk = {.seen = mem_alloc_zero((p->exprs.len + 1) * sizeof(uint32_t))};
  for (bool changed = true; changed;) {
    changed = false;
    for (EdgeId id = 1; id < p->edges.len; id++) {
      const Edge *e = program_edge(p, id);
      switch ((OpKind)e->op) {
      case OP_ASSUME:
      case OP_ASSERT:
      case OP_RETURN:
      case OP_GOTO: changed |= e->a && mark_locals(w, &walk, e->a); break;
      case OP_ASSIGN: changed |= w->tested[e->dst] && mark_locals(w, &walk, e->a); break;
      case OP_CMPXCHG: changed |= mark_locals(w, &walk, e->b); break;
      case OP_LOCK:
      case OP_UNLOCK:
      case OP_WAIT:
      case OP_SEM_WAIT:
      case OP_SEM_POST:
      case OP_JOIN:
      case OP_BARRIER_WAIT:
        changed |= mark_locals(w, &walk, e->a);
        changed |= e->b && mark_locals(w, &walk, e->b);
        break;
      case OP_LOAD:
        if (e->dst && w->tested[e->dst]) changed |= mark_locals(w, &walk, e->a);
        break;
      case OP_STORE: changed |= mark_locals(w, &walk, e->b); break;
      case OP_CALL:
        for (uint32_t i = 0; i < e->arg_count; i++)
          changed |= mark_locals(w, &walk, vec_at(&p->args, e->first_arg + i)->value);
        break;
      case OP_NOP:
      case OP_HAVOC:
      case OP_UNREACHABLE:
      case OP_RMW:
      case OP_FENCE:
      case OPS_BULK:
      case OPS_STACK:
      case OPS_VA:
      case OP_CREATE:
      case OP_DETACH:
      case OP_EXIT_THREAD:
      case OP_SELF:
      case OPS_CANCEL:
      case OP_LOCK_INIT:
      case OP_LOCK_DESTROY:
      case OP_COND_INIT:
      case OPS_WAKE:
      case OP_COND_DESTROY:
      case OP_BARRIER_INIT:
      case OP_BARRIER_DESTROY:
      case OP_SEM_INIT:
      case OP_SEM_VALUE:
      case OP_SEM_DESTROY:
      case OP_ONCE:
      case OPS_USER:
      case OPS_SECTION:
      case OP_EXIT: break;
      }
    }
  }
  vec_free(&walk.stack);
  mem_free(walk.seen);
}

/* ---- atomics ---- */

static bool is_one_place(void *user, ObjectId object, uint32_t offset) {
  const World *w = user;
  return w->single[object] && pn_world_is_plain(w, object, offset);
}

/* ---- the program as a whole ---- */

/* Cancelled threads end anywhere; what the library calls by itself interrupts any thread.
 * */
static const char *objection_of(const World *w) {
  const Program *p = w->program;
  if (p->destructors.len > 1) return "functions run at the end of the program";
  for (uint32_t t = 0; t < w->flow->threads.len; t++)
    if (flow_stands_apart(w->flow, t))
      return "the library calls functions of the program";
  for (uint32_t i = 0; i < w->flow->accesses.len; i++) {
    const FlowAccess *x = &w->flow->accesses.data[i];
    if (x->object == AOBJECT_UNKNOWN || (x->kind & FLOW_UNSURE))
      return "memory of unknown origin is accessed";
  }
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(w->pointsto, f))
      continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      if (program_edge(p, function->first_edge + i)->op == OP_CANCEL)
        return "threads are cancelled";
  }
  return NULL;
}

World *pn_world_new(const PetriQuestion *question) {
  Arena *arena = arena_new();
  World *w = arena_alloc_zero(arena, sizeof *w);
  const Program *p = question->program;
  w->question = question;
  w->program = p;
  w->pointsto = question->pointsto;
  w->flow = question->flow;
  w->arena = arena;
  w->facts = facts_new(p, question->pointsto, NULL, NULL);
  w->single = arena_alloc_zero(arena, p->objects.len + 1);
  w->owned = arena_alloc_zero(arena, p->objects.len + 1);
  w->blurred = arena_alloc_zero(arena, p->objects.len + 1);
  w->has_var = arena_alloc_zero(arena, p->objects.len + 1);
  w->unordered = arena_alloc_zero(arena, p->objects.len + 1);
  w->tested = arena_alloc_zero(arena, p->locals.len + 1);
  w->visible = arena_alloc_zero(arena, p->functions.len + 1);
  w->recursive = arena_alloc_zero(arena, p->functions.len + 1);
  w->heavy = arena_alloc_zero(arena, p->functions.len + 1);
  w->mods = arena_alloc_zero(arena, (p->functions.len + 1) * sizeof *w->mods);
  w->mod_index = arena_alloc_zero(arena, (p->objects.len + 1) * sizeof *w->mod_index);
  w->objection = objection_of(w);
  if (w->objection) return w;
  judge_objects(w);
  atomics_find_weak(p, w->pointsto, is_one_place, w, w->unordered);
  for (ObjectId o = 1; question->racy && o < p->objects.len; o++)
    if (question->racy[o]) w->owned[o] = OWNED_NOT;
  find_alone(w);
  sort_accesses(w);
  find_tested(w);
  return w;
}

void pn_world_free(World *w) {
  if (!w) return;
  facts_free(w->facts);
  vec_free(&w->accesses);
  vec_free(&w->vars);
  arena_free(w->arena);
}

int pn_world_find_var(const World *w, ObjectId object, uint64_t offset, uint64_t size) {
  if (!w->has_var[object]) return -1;
  for (uint32_t i = 0; i < w->vars.len; i++) {
    const WorldVar *v = &w->vars.data[i];
    if (v->object == object && v->offset == offset && v->size == size) return (int)i;
  }
  return -1;
}
