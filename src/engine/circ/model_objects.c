/* Objects of synchronisation: which of them are followed, and their ghosts. See model_internal.h.
 *
 * An object is followed if every operand that may mean it means it alone, and if nobody writes
 * over it. What is not followed never waits, and changes nothing: that allows more, never less.
 *
 * Of a mutex that is surely of the normal type, and of a spin lock, it is enough to know whether
 * somebody has it: who takes it again waits like everybody else, and what happens when somebody
 * else unlocks it is left open by POSIX; here it is free then. */
#include "engine/circ/model_internal.h"

#include "analysis/single.h"
#include "engine/names.h"
#include "model/op_access.h"

static uint64_t key_of(ObjectId object, uint32_t offset) {
  return (uint64_t)object << 32 | offset;
}

/* Bytes that say what its ghosts are, or are of no other use. */
static uint32_t size_of(const CircObject *o) {
  if (o->kind != SYNC_LOCK) return o->kind == SYNC_ONCE ? ONCE_BYTES : SEM_VALUE_BYTES;
  return lock_bytes((LockKind)o->lock);
}

static bool is_followed_kind(uint8_t kind) {
  return kind == SYNC_LOCK || kind == SYNC_SEM || kind == SYNC_ONCE;
}

/* ---- operands ---- */

static CircObject *object_at(CircMaker *x, ObjectId object, uint32_t offset, uint8_t kind,
                             uint8_t lock) {
  uint64_t *known = map_at(&x->object_at, key_of(object, offset));
  if (!*known) {
    CircObject fresh = {
        .kind = kind, .lock = lock, .object = object, .offset = offset, .type = -2};
    vec_push(&x->objects, fresh);
    *known = x->objects.len;
  }
  return &x->objects.data[*known - 1];
}

static void note_operand(CircMaker *x, ExprId address, uint8_t kind, uint8_t lock) {
  ObjectId object;
  uint32_t offset;
  if (!single_target(x->p, x->pt, address, &object, &offset) ||
      pointsto_place_step(x->pt, object, offset) ||
      (x->p->objects.data[object].flags & OBJECT_EXTERNAL))
    return;
  CircObject *o = object_at(x, object, offset, kind, lock);
  if (o->kind != kind || o->lock != lock) o->blurred = true;
}

static void blur_if(CircMaker *x, const Target *t, bool unknown) {
  for (uint32_t i = 0; i < x->objects.len; i++) {
    CircObject *o = &x->objects.data[i];
    if (unknown && pointsto_escapes(x->pt, o->object)) o->blurred = true;
    if (t && !t->function && pointsto_object(x->pt, t->object) == o->object &&
        (t->offset == OFFSET_ANY || t->offset == o->offset))
      o->blurred = true;
  }
}

/* An operand that does not mean one followed object blurs all that it may mean. */
static void blur_by(CircMaker *x, ExprId address) {
  ObjectId object;
  uint32_t offset;
  if (single_target(x->p, x->pt, address, &object, &offset)) return;
  Targets t = pointsto_expr(x->pt, address);
  if (t.unknown) blur_if(x, NULL, true);
  for (uint32_t i = 0; i < t.count; i++) blur_if(x, &t.targets[i], false);
}

/* The mutex is of this type after some initialisation. */
static void note_type(CircObject *o, int type) {
  o->checked = o->checked || type == MUTEX_ERRORCHECK;
  o->type = o->type == -2 || o->type == type ? type : -1;
}

/* ---- each step ---- */

static void each_step(CircMaker *x, void (*visit)(CircMaker *x, const Edge *e)) {
  for (uint32_t k = 0; k < x->m->automata->kinds.len; k++) {
    const Automaton *a = &x->m->automata->kinds.data[k];
    for (uint32_t i = 1; i < a->steps.len; i++)
      visit(x, program_edge(x->p, a->steps.data[i].edge));
  }
}

static void note_operands(CircMaker *x, const Edge *e) {
  uint8_t kind = (uint8_t)op_sync_kind((OpKind)e->op);
  if (is_followed_kind(kind)) note_operand(x, e->a, kind, e->lock);
  if (e->op == OP_WAIT) note_operand(x, e->b, SYNC_LOCK, LOCK_MUTEX);
}

static void note_vague(CircMaker *x, const Edge *e) {
  if (is_followed_kind((uint8_t)op_sync_kind((OpKind)e->op))) blur_by(x, e->a);
  if (e->op == OP_WAIT) blur_by(x, e->b);
}

static void note_init(CircMaker *x, const Edge *e) {
  if (e->op != OP_LOCK_INIT) return;
  CircObject *o = circ_object_of(x, e->a);
  if (!o) return;
  const Expr *b = program_expr(x->p, e->b);
  bool known = !e->b || b->kind == EXPR_CONST;
  uint64_t kind = e->b && b->sort != SORT_PTR ? b->value : 0;
  if (known && e->b && b->sort == SORT_PTR && b->value) known = false;
  note_type(o, known ? (int)lock_type_of_init((LockKind)o->lock, kind) : -1);
  o->checked = o->checked || (!known && x->errorcheck);
}

static void note_plain_write(void *user, const Touch *t) {
  CircMaker *x = user;
  if (!(t->kind & TOUCH_WRITE) || (t->kind & TOUCH_SYNC)) return;
  for (uint32_t i = 0; i < x->objects.len; i++) {
    CircObject *o = &x->objects.data[i];
    if (t->key ? t->key != o->object : !pointsto_escapes(x->pt, o->object)) continue;
    PlaceExtent a = pointsto_extent(x->pt, o->object, t->key ? t->offset : OFFSET_ANY,
                                    t->size, false);
    PlaceExtent b = pointsto_extent(x->pt, o->object, o->offset, size_of(o), true);
    if (a.from >= b.to || b.from >= a.to) continue;
    /* a lock in use must not be overwritten, and one that is not in use is free already */
    o->type = -1;
    o->checked = true;
    if (o->kind != SYNC_LOCK) o->blurred = true;
  }
}

/* A slice may have cut them: the whole program tells. */
static void note_writes(CircMaker *x) {
  const Program *whole = x->m->question.flow->program;
  for (EdgeId e = 1; e < whole->edges.len; e++) {
    FuncId f = whole->nodes.data[program_edge(whole, e)->from].function;
    if (pointsto_is_reachable(x->pt, f))
      touch_visit(whole, x->pt, e, note_plain_write, x);
  }
}

/* What static initialisers say. */
static void note_bytes(CircMaker *x, CircObject *o) {
  const Object *object = vec_at(&x->p->objects, o->object);
  if (o->kind != SYNC_LOCK || object->kind != OBJECT_GLOBAL) return;
  uint64_t kind = 0;
  Term bytes =
      circ_initial(x, o->object, o->offset + MUTEX_KIND_OFFSET, MUTEX_KIND_BYTES);
  if (o->lock == LOCK_MUTEX && (!bytes || !term_get_const(x->t, bytes, &kind)))
    note_type(o, -1);
  else
    note_type(o, (int)lock_type_of_init((LockKind)o->lock, kind));
}

/* Attributes are followed by flow: wherever it is taken it is recursive. */
static bool is_surely_recursive(const CircMaker *x, const CircObject *o) {
  const Flow *flow = x->m->question.flow;
  bool found = false;
  for (uint32_t i = 0; i < flow->acquires.len; i++) {
    const FlowValue *name = &flow->acquires.data[i].lock.name;
    if (!name->known || name->index || flow_is_symbol(name->base) ||
        flow_base_id(name->base) != o->object || name->offset != (int64_t)o->offset)
      continue;
    if (!flow->acquires.data[i].recursive) return false;
    found = true;
  }
  return found && flow->complete;
}

static bool names(const Program *p, ExprId function, const char *name) {
  const Expr *e = program_expr(p, function);
  return e->kind == EXPR_FUNC && program_function_is(p, (FuncId)e->data, name);
}

/* Some call sets the type of an attribute to one that reports mistakes, or to an unknown one. */
static bool may_ask_for_checks(const Program *p) {
  FuncId setter = program_find_function(p, "pthread_mutexattr_settype");
  if (!setter) return false;
  if (p->functions.data[setter].flags & FUNCTION_ADDRESS_TAKEN) return true;
  for (EdgeId i = 1; i < p->edges.len; i++) {
    const Edge *e = program_edge(p, i);
    if (e->op != OP_CALL || !names(p, e->a, "pthread_mutexattr_settype")) continue;
    const Expr *type =
        e->arg_count == 2 ? program_expr(p, p->args.data[e->first_arg + 1].value) : NULL;
    if (!type || type->kind != EXPR_CONST ||
        mutex_type_of_kind(type->value) == MUTEX_ERRORCHECK)
      return true;
  }
  return false;
}

void circ_objects_find(CircMaker *x) {
  x->errorcheck = may_ask_for_checks(x->m->question.flow->program);
  x->robust = program_may_be_robust(x->m->question.flow->program);
  each_step(x, note_operands);
  each_step(x, note_vague);
  for (uint32_t i = 0; i < x->objects.len; i++) note_bytes(x, &x->objects.data[i]);
  each_step(x, note_init);
  note_writes(x);
  for (uint32_t i = 0; i < x->objects.len; i++) {
    CircObject *o = &x->objects.data[i];
    if (o->type == -2) o->type = -1;
    if (o->type == -1 && is_surely_recursive(x, o)) o->type = MUTEX_RECURSIVE;
    o->counted = o->type == -1 || o->type == MUTEX_RECURSIVE;
    o->owned = o->lock == LOCK_RW || o->type != MUTEX_NORMAL;
    if (x->robust && o->lock == LOCK_MUTEX && o->type < 0) o->blurred = true;
  }
}

CircObject *circ_object_of(CircMaker *x, ExprId address) {
  ObjectId object;
  uint32_t offset;
  if (!single_target(x->p, x->pt, address, &object, &offset)) return NULL;
  uint64_t known = map_find(&x->object_at, key_of(object, offset), 0);
  CircObject *o = known ? &x->objects.data[known - 1] : NULL;
  return o && !o->blurred ? o : NULL;
}

/* ---- ghosts ---- */

static Term start_of(CircMaker *x, const CircObject *o, Ghost ghost, uint32_t bits) {
  bool given = x->p->objects.data[o->object].kind == OBJECT_GLOBAL;
  if (ghost == GHOST_VALUE)
    return circ_initial(x, o->object, o->offset + SEM_VALUE_OFFSET, SEM_VALUE_BYTES);
  if (ghost == GHOST_DONE) {
    Term flag = circ_initial(x, o->object, o->offset, ONCE_BYTES);
    return given && flag ? term_eq(x->t, flag, term_const(x->t, 32, ONCE_DONE)) : 0;
  }
  return term_const(x->t, bits, 0);
}

CircVar circ_ghost_shared(CircMaker *x, CircObject *o, Ghost ghost) {
  if (!o->shared[ghost]) {
    uint32_t bits = ghost == GHOST_OWNER || ghost == GHOST_DONE ? 1 : 32;
    const char *what = ghost == GHOST_DONE      ? "done"
                       : ghost == GHOST_READERS ? "readers"
                       : ghost == GHOST_VALUE   ? "value"
                       : o->kind == SYNC_ONCE   ? "runs"
                                                : "held";
    const char *place = name_of_place(x->p, o->object, o->offset, x->arena);
    CircShared v = {.ghost = true, .which = (uint8_t)ghost, .object = o->object};
    v.offset = o->offset;
    v.start = start_of(x, o, ghost, bits);
    v.name = arena_printf(x->arena, "%s (%s)", place, what);
    o->shared[ghost] = circ_shared(x, v, bits) + 1;
  }
  return o->shared[ghost] - 1;
}
