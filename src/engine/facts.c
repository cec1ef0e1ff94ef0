/* See facts.h. Liveness is the usual backward analysis over the edges of one function,
 * on bit sets, repeated until nothing changes. */
#include "engine/facts.h"

static void place_statics(Facts *f) {
  const Program *p = f->program;
  f->static_instance =
      arena_alloc_zero(f->arena, p->objects.len * sizeof *f->static_instance);
  f->static_object = arena_alloc_zero(f->arena, p->objects.len * sizeof(ObjectId));
  for (ObjectId o = 1; o < p->objects.len; o++) {
    uint8_t kind = p->objects.data[o].kind;
    if (kind != OBJECT_GLOBAL && kind != OBJECT_LIBRARY) continue;
    f->static_object[f->static_count++] = o;
    f->static_instance[o] = f->static_count;
  }
}

static bool is_weak(const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_LOAD:
  case OP_STORE:
  case OP_RMW: return e->order != ORDER_NONE && e->order != ORDER_SEQ_CST;
  case OP_CMPXCHG: return e->order != ORDER_SEQ_CST || e->order_fail != ORDER_SEQ_CST;
  default: return false;
  }
}

static bool reads_relaxed(const Edge *e) {
  bool plain = e->order != ORDER_ACQUIRE && e->order != ORDER_ACQ_REL &&
               e->order != ORDER_SEQ_CST;
  bool fail = e->order_fail != ORDER_ACQUIRE && e->order_fail != ORDER_SEQ_CST;
  switch ((OpKind)e->op) {
  case OP_LOAD: return e->order != ORDER_NONE && plain;
  case OP_RMW: return plain;
  case OP_CMPXCHG: return plain || fail;
  default: return false;
  }
}

static bool writes_relaxed(const Edge *e) {
  bool plain = e->order != ORDER_RELEASE && e->order != ORDER_ACQ_REL &&
               e->order != ORDER_SEQ_CST;
  switch ((OpKind)e->op) {
  case OP_STORE: return e->order != ORDER_NONE && plain;
  case OP_RMW:
  case OP_CMPXCHG: return plain;
  default: return false;
  }
}

static void note_relaxed_write(Facts *f, const Edge *e) {
  Targets t = pointsto_expr(f->pointsto, e->a);
  if (t.unknown) memset(f->relaxed_writes, 1, f->program->objects.len);
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    AObject object = t.targets[i].object;
    AObjectKind kind = pointsto_object_kind(f->pointsto, object);
    if (kind == AOBJECT_PROGRAM || kind == AOBJECT_CONTEXT)
      f->relaxed_writes[pointsto_object(f->pointsto, object)] = 1;
  }
}

static bool looks_at_others(const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_LOCK:
  case OP_JOIN: return e->attempt != ATTEMPT_BLOCK;
  default: return false;
  }
}

static void survey(Facts *f) {
  const Program *p = f->program;
  for (FuncId id = 1; id < p->functions.len; id++) {
    const Function *function = &p->functions.data[id];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(f->pointsto, id))
      continue;
    for (uint32_t i = 0; i < function->edge_count; i++) {
      const Edge *e = program_edge(p, function->first_edge + i);
      f->weak_atomics = f->weak_atomics || is_weak(e);
      f->has_try = f->has_try || looks_at_others(e);
      f->relaxed = f->relaxed || reads_relaxed(e) || writes_relaxed(e);
      f->ordered_fences =
          f->ordered_fences || (e->op == OP_FENCE && e->order == ORDER_SEQ_CST);
      if (writes_relaxed(e)) note_relaxed_write(f, e);
    }
  }
}

Facts *facts_new(const Program *program, const PointsTo *pointsto, const uint8_t *watched,
                 const uint8_t *wild) {
  Arena *arena = arena_new();
  Facts *f = arena_alloc_zero(arena, sizeof *f);
  f->program = program;
  f->pointsto = pointsto;
  f->arena = arena;
  f->watched = arena_alloc(arena, program->objects.len + 1);
  if (watched)
    memcpy(f->watched, watched, program->objects.len);
  else
    memset(f->watched, 1, program->objects.len);
  f->wild = wild;
  for (ObjectId o = 1; o < program->objects.len; o++)
    if (facts_is_wild(f, o)) f->watched[o] = 0;
  f->relaxed_writes = arena_alloc_zero(arena, program->objects.len + 1);
  f->live = arena_alloc_zero(arena, (program->nodes.len + 1) * sizeof *f->live);
  place_statics(f);
  survey(f);
  return f;
}

void facts_free(Facts *facts) {
  if (facts) arena_free(facts->arena);
}

/* ---- liveness ---- */

typedef struct {
  const Program *program;
  const Function *function;
  uint64_t *set;
} Uses;

/* Expressions are acyclic and their operands have smaller numbers, but may be shared: a
 * visited mark keeps the walk linear. */
typedef struct {
  VEC(ExprId) stack;
  uint32_t *seen;
  uint32_t stamp;
} Walk;

static void add_uses(const Uses *u, Walk *w, ExprId root) {
  if (!root) return;
  vec_push(&w->stack, root);
  while (w->stack.len) {
    ExprId id = vec_pop(&w->stack);
    if (w->seen[id] == w->stamp) continue;
    w->seen[id] = w->stamp;
    const Expr *e = program_expr(u->program, id);
    if (e->kind == EXPR_LOCAL) {
      uint32_t local = (uint32_t)e->data - u->function->first_local;
      u->set[local / 64] |= UINT64_C(1) << (local % 64);
      continue;
    }
    int n = expr_operand_count((ExprKind)e->kind);
    if (n > 0) vec_push(&w->stack, e->a);
    if (n > 1) vec_push(&w->stack, e->b);
    if (n > 2) vec_push(&w->stack, e->c);
  }
}

/* The edge before its successor's live set: minus what it writes, plus what it reads. */
static void through_edge(const Uses *u, Walk *w, const Edge *e) {
  const Function *f = u->function;
  LocalId written[] = {e->dst, e->dst2};
  for (int i = 0; i < 2; i++)
    if (written[i]) {
      uint32_t local = written[i] - f->first_local;
      u->set[local / 64] &= ~(UINT64_C(1) << (local % 64));
    }
  /* a result that is not always written keeps its old value */
  const SyncResult *result = e->aux && e->op != OP_RMW && e->op != OP_ALLOCA &&
                                     e->op != OP_CALL && e->op != OP_GOTO &&
                                     e->op != OP_COPY
                                 ? vec_at(&u->program->results, e->aux)
                                 : NULL;
  if (result && result->no_result && e->dst) {
    uint32_t local = e->dst - f->first_local;
    u->set[local / 64] |= UINT64_C(1) << (local % 64);
  }
  w->stamp++;
  add_uses(u, w, e->a);
  add_uses(u, w, e->b);
  if (e->op != OP_NOP) add_uses(u, w, e->c);
  for (uint32_t i = 0; i < e->arg_count; i++)
    add_uses(u, w, vec_at(&u->program->args, e->first_arg + i)->value);
}

static void find_live(Facts *facts, const Function *f) {
  const Program *p = facts->program;
  uint32_t words = f->local_count / 64 + 1;
  for (NodeId n = f->first_node; n < f->first_node + f->node_count; n++)
    facts->live[n] = arena_alloc_zero(facts->arena, words * sizeof(uint64_t));
  Walk walk = {.seen = mem_alloc_zero(p->exprs.len * sizeof(uint32_t) + 1)};
  uint64_t *set = mem_alloc_zero(words * sizeof *set);
  Uses uses = {p, f, set};
  for (bool changed = true; changed;) {
    changed = false;
    for (NodeId n = f->first_node + f->node_count; n-- > f->first_node;)
      for (EdgeId id = node_first_edge(p, n); id < node_end_edge(p, n); id++) {
        const Edge *e = program_edge(p, id);
        memset(set, 0, words * sizeof *set);
        if (e->to) memcpy(set, facts->live[e->to], words * sizeof *set);
        through_edge(&uses, &walk, e);
        for (uint32_t i = 0; i < words; i++) {
          changed = changed || (set[i] & ~facts->live[n][i]);
          facts->live[n][i] |= set[i];
        }
      }
  }
  vec_free(&walk.stack);
  mem_free(walk.seen);
  mem_free(set);
}

const uint64_t *facts_live_at(Facts *facts, NodeId node) {
  if (!facts->live[node])
    find_live(facts, vec_at(&facts->program->functions,
                            facts->program->nodes.data[node].function));
  return facts->live[node];
}

/* ---- initial values ---- */

/* object + constant, function + 0: what relocations are. */
static AbsValue address_of(const Facts *facts, ExprId id) {
  const Program *p = facts->program;
  uint64_t offset = 0;
  for (int depth = 0; depth < 16; depth++) {
    const Expr *e = program_expr(p, id);
    if (e->kind == EXPR_BITCAST) {
      id = e->a;
    } else if (e->kind == EXPR_PTRADD && program_expr(p, e->b)->kind == EXPR_CONST) {
      offset += program_expr(p, e->b)->value;
      id = e->a;
    } else if (e->kind == EXPR_OBJECT && facts->static_instance[e->data]) {
      return abs_make(ABS_INSTANCE, facts->static_instance[e->data] - 1, offset);
    } else if (e->kind == EXPR_FUNC && !offset) {
      return abs_make(ABS_FUNCTION, (uint32_t)e->data, 0);
    } else {
      break;
    }
  }
  return abs_top();
}

AbsValue facts_initial(const Facts *facts, ObjectId object, uint64_t offset,
                       uint32_t size) {
  const Program *p = facts->program;
  const Object *o = vec_at(&p->objects, object);
  for (uint32_t i = 0; i < o->reloc_count; i++) {
    const Reloc *r = vec_at(&p->relocs, o->first_reloc + i);
    if (r->offset >= offset + size || r->offset + r->size <= offset) continue;
    bool whole = r->offset == offset && r->size == size && size == 8;
    return whole ? address_of(facts, r->target) : abs_top();
  }
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; i++)
    if (offset + i < o->init_size)
      value |= (uint64_t)*vec_at(&p->bytes, o->init + offset + i) << (8 * i);
  return abs_number(value);
}

/* ---- what is out of reach ---- */

const char *facts_objection(const Facts *facts) {
  const Program *p = facts->program;
  if (p->destructors.len > 1) return "functions that run at the end of the program";
  return NULL;
}
