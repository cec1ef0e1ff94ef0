/* Which mutexes count: found once, before the fixpoint, from how they are initialised.
 *
 * A mutex is recursive if every initialisation of it uses an attribute that surely is recursive
 * at that moment: the attribute object has no other type set anywhere, and no way leads to the
 * initialisation from the start of the function, or from a new pthread_mutexattr_init, without
 * passing the pthread_mutexattr_settype in between. Everything less certain counts as plain:
 * then taking it twice is questioned. */
#include "analysis/flow_internal.h"

#include "model/sync.h"

enum { KIND_RECURSIVE = 1, KIND_OTHER = 2 };

/* What an initialiser says: the C library keeps the kind in a byte of the mutex. */
enum {
  STATIC_PLAIN = 0,
  STATIC_RECURSIVE = 1,
  STATIC_ERRORCHECK = 2,
  STATIC_KIND_AT = 16
};
enum { STATIC_CHANGED = 255 };

typedef struct {
  Analyzer *a;
  bool lost; /* something unknown is set or initialised: no mutex is known to count */
} Kinds;

static uint64_t key_of(const Target *t) {
  return (uint64_t)t->object << 32 | t->offset;
}

/* The one place that an address denotes; 0 when it is not certain. */
static uint64_t only_place(Analyzer *a, ExprId address) {
  Targets t = pointsto_expr(a->pt, address);
  if (t.unknown || t.count != 1 || t.targets->function ||
      t.targets->offset == OFFSET_ANY ||
      pointsto_object(a->pt, t.targets->object) != t.targets->object ||
      !place_is_single(a, t.targets->object, t.targets->offset))
    return 0;
  return key_of(t.targets);
}

/* A second opinion that differs makes it other: only what is certain counts. */
static void note_kind(Kinds *k, Map *kinds, ExprId address, bool recursive) {
  Targets t = pointsto_expr(k->a->pt, address);
  k->lost = k->lost || t.unknown;
  recursive = recursive && only_place(k->a, address);
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    k->lost = k->lost || t.targets[i].offset == OFFSET_ANY;
    uint64_t *slot = map_at(kinds, key_of(&t.targets[i]));
    *slot = *slot == KIND_OTHER || !recursive ? KIND_OTHER : KIND_RECURSIVE;
  }
}

static bool is_named(Analyzer *a, FuncId function, const char *name) {
  return str_eq(sym_text(a->p, a->p->functions.data[function].name), name);
}

/* By its name, or maybe through a pointer. */
static bool calls(Analyzer *a, EdgeId e, const char *name) {
  const Edge *edge = program_edge(a->p, e);
  if (edge->op != OP_CALL || !edge->arg_count) return false;
  const Expr *callee = program_expr(a->p, edge->a);
  const FuncId *functions;
  uint32_t n = pointsto_callees(a->pt, e, &functions);
  bool found = callee->kind == EXPR_FUNC && is_named(a, (FuncId)callee->data, name);
  for (uint32_t i = 0; i < n && !found; i++) found = is_named(a, functions[i], name);
  return found;
}

static ExprId first_argument(Analyzer *a, const Edge *edge) {
  return vec_at(&a->p->args, edge->first_arg)->value;
}

static void note_attribute(Kinds *k, EdgeId e) {
  const Edge *edge = program_edge(k->a->p, e);
  if (!calls(k->a, e, "pthread_mutexattr_settype") || edge->arg_count != 2) return;
  const Expr *kind =
      program_expr(k->a->p, vec_at(&k->a->p->args, edge->first_arg + 1)->value);
  bool known = kind->kind == EXPR_CONST && kind->value <= STATIC_RECURSIVE;
  k->a->sets_errorcheck = k->a->sets_errorcheck || !known;
  note_kind(k, &k->a->attribute_kinds, first_argument(k->a, edge),
            known && kind->value == STATIC_RECURSIVE);
}

/* Does a way from `from` lead to `to` on which no call sets the attribute's type? */
static bool reaches_unset(Analyzer *a, const Function *f, NodeId from, NodeId to,
                          uint64_t attribute) {
  VEC(NodeId) stack = {0};
  uint8_t *seen = mem_alloc_zero(f->node_count);
  seen[from - f->first_node] = 1;
  vec_push(&stack, from);
  while (stack.len && !seen[to - f->first_node]) {
    NodeId n = vec_pop(&stack);
    for (EdgeId e = node_first_edge(a->p, n); e < node_end_edge(a->p, n); e++) {
      const Edge *edge = program_edge(a->p, e);
      if (!edge->to || seen[edge->to - f->first_node] ||
          (calls(a, e, "pthread_mutexattr_settype") &&
           only_place(a, first_argument(a, edge)) == attribute))
        continue;
      seen[edge->to - f->first_node] = 1;
      vec_push(&stack, edge->to);
    }
  }
  bool found = seen[to - f->first_node];
  vec_free(&stack);
  mem_free(seen);
  return found;
}

/* Other code that makes the attribute anew, or writes it by itself. */
static bool is_recursive_there(Analyzer *a, FuncId here, NodeId at, uint64_t attribute) {
  const Program *p = a->p;
  if (map_find(&a->attribute_kinds, attribute, 0) != KIND_RECURSIVE ||
      map_get(&a->stored_cells, attribute) ||
      map_get(&a->stored_cells, (attribute >> 32) << 32 | OFFSET_ANY))
    return false;
  if (reaches_unset(a, vec_at(&p->functions, here), p->functions.data[here].entry, at,
                    attribute))
    return false;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = vec_at(&p->functions, f);
    for (uint32_t k = 0; k < function->edge_count; k++) {
      const Edge *edge = program_edge(p, function->first_edge + k);
      if (!calls(a, function->first_edge + k, "pthread_mutexattr_init")) continue;
      uint64_t made = only_place(a, first_argument(a, edge));
      if (made && made != attribute) continue;
      if (!made || f != here || reaches_unset(a, function, edge->to, at, attribute))
        return false;
    }
  }
  return true;
}

static void note_init(Kinds *k, FuncId function, const Edge *edge) {
  Analyzer *a = k->a;
  const Expr *kind = edge->b ? program_expr(a->p, edge->b) : NULL;
  bool recursive = false;
  if (kind && kind->sort == SORT_INT) { /* mtx_init says it in a number */
    recursive = kind->kind == EXPR_CONST && kind->value != 0;
  } else if (kind) {
    uint64_t attribute = only_place(a, edge->b);
    recursive = attribute && is_recursive_there(a, function, edge->from, attribute);
  }
  note_kind(k, &k->a->lock_kinds, edge->a, recursive);
}

/* A read-write lock that may prefer writers: its initialiser, or data, is not that of the default
 * kind. */
static bool may_prefer_writers(Analyzer *a, const Edge *edge) {
  Targets t = pointsto_expr(a->pt, edge->a);
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    ObjectId object = pointsto_object(a->pt, t.targets[i].object);
    const Object *o = vec_at(&a->p->objects, object);
    uint64_t from = t.targets[i].offset == OFFSET_ANY ? 0 : t.targets[i].offset;
    if (bytes_are_stored(a, object, (int64_t)from, lock_bytes(LOCK_RW))) return true;
    for (uint64_t at = from; at < from + lock_bytes(LOCK_RW) && at < o->init_size; at++)
      if (a->p->bytes.data[o->init + at]) return true;
  }
  return false;
}

void lock_kinds_prepare(Analyzer *a) {
  Kinds k = {.a = a};
  for (EdgeId e = 1; e < a->p->edges.len; e++) note_attribute(&k, e);
  for (FuncId f = 1; f < a->p->functions.len; f++) {
    const Function *function = vec_at(&a->p->functions, f);
    for (uint32_t i = 0; i < function->edge_count; i++) {
      const Edge *edge = program_edge(a->p, function->first_edge + i);
      if (edge->op == OP_LOCK_INIT) note_init(&k, f, edge);
    }
  }
  a->lost_kinds = k.lost;
  for (EdgeId e = 1; e < a->p->edges.len; e++) {
    const Edge *edge = program_edge(a->p, e);
    a->flow->writers_first =
        a->flow->writers_first || calls(a, e, "pthread_rwlockattr_setkind_np") ||
        (edge->op == OP_LOCK && edge->lock == LOCK_RW && may_prefer_writers(a, edge));
  }
}

/* What pthread_mutex_init and its like said about the lock; 0: nothing. */
static uint64_t said_kind(Analyzer *a, const FlowLock *lock) {
  return map_find(
      &a->lock_kinds,
      (uint64_t)flow_base_id(lock->name.base) << 32 | (uint32_t)lock->name.offset, 0);
}

static uint8_t static_kind(Analyzer *a, const FlowLock *lock) {
  if (bytes_are_stored(a, flow_base_id(lock->name.base), lock->name.offset,
                       lock_bytes(LOCK_MUTEX)))
    return STATIC_CHANGED;
  const Object *o = vec_at(&a->p->objects, flow_base_id(lock->name.base));
  uint64_t at = (uint64_t)lock->name.offset + STATIC_KIND_AT;
  return at < o->init_size ? a->p->bytes.data[o->init + at] : STATIC_PLAIN;
}

/* A mutex that counts: known from how it is initialised. */
bool lock_is_recursive(Analyzer *a, const FlowLock *lock) {
  if (lock->kind == LOCK_RECURSIVE) return true;
  if (lock->kind != LOCK_MUTEX || !lock->unique || a->lost_kinds) return false;
  uint64_t said = said_kind(a, lock);
  return said ? said == KIND_RECURSIVE : static_kind(a, lock) == STATIC_RECURSIVE;
}

bool lock_counts(Analyzer *a, const FlowLock *lock) {
  if (lock->kind != LOCK_MUTEX) return lock->kind != LOCK_RW;
  if (!lock->unique || a->sets_errorcheck) return false;
  uint8_t kind = static_kind(a, lock);
  return kind != STATIC_ERRORCHECK && kind != STATIC_CHANGED;
}

bool lock_may_refuse(Analyzer *a, const Edge *edge) {
  if (edge->lock != LOCK_MUTEX) return edge->lock == LOCK_RW;
  Targets t = pointsto_expr(a->pt, edge->a);
  bool may = a->sets_errorcheck;
  for (uint32_t i = 0; i < t.count && !may; i++) {
    if (t.targets[i].function) continue;
    ObjectId object = pointsto_object(a->pt, t.targets[i].object);
    const Object *o = vec_at(&a->p->objects, object);
    uint64_t from = t.targets[i].offset == OFFSET_ANY ? 0 : t.targets[i].offset;
    uint64_t at = from + STATIC_KIND_AT;
    may = bytes_are_stored(a, object, (int64_t)from, lock_bytes(LOCK_MUTEX)) ||
          (at < o->init_size && (t.targets[i].offset == OFFSET_ANY ||
                                 a->p->bytes.data[o->init + at] == STATIC_ERRORCHECK));
  }
  return may;
}

bool lock_is_plain(Analyzer *a, const FlowLock *lock) {
  return lock->kind == LOCK_MUTEX && lock->unique && !a->lost_kinds &&
         !said_kind(a, lock) && static_kind(a, lock) == STATIC_PLAIN;
}
