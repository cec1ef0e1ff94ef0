/* Synchronisation on a path, by the rows of model/lower.h. See context_internal.h.
 *
 * An object is followed if a certificate has a ghost of it. Then every operand that may mean it must
 * mean it alone. An object that is not followed never makes anybody wait. Of a mutex that is surely
 * normal, and of a spin lock, only whether it is held is followed: what unlocks it leaves it free,
 * whoever that is (POSIX promises nothing there). Who waits with a time either gets what it waits
 * for or sees that the time is over. Everybody passes barriers, and wakes from sleep, at any time. */
#include "proof/context_internal.h"

#include "analysis/single.h"

static uint64_t key_of(ObjectId object, uint32_t offset) {
  return (uint64_t)object << 32 | offset;
}

/* ---- which objects ---- */

static bool is_followed_kind(SyncKind kind) {
  return kind == SYNC_LOCK || kind == SYNC_SEM || kind == SYNC_ONCE;
}

ContextObject *context_object_of(Context *x, ExprId address) {
  ObjectId object;
  uint32_t offset;
  if (!single_target(x->p, x->pt, address, &object, &offset)) return NULL;
  uint64_t known = map_find(&x->object_at, key_of(object, offset), 0);
  return known ? &x->objects.data[known - 1] : NULL;
}

static bool may_mean(const Context *x, ExprId address, const ContextObject *o) {
  Targets t = pointsto_expr(x->pt, address);
  if (t.unknown && pointsto_escapes(x->pt, o->object)) return true;
  for (uint32_t i = 0; i < t.count; i++) {
    const Target *to = &t.targets[i];
    if (!to->function && pointsto_object(x->pt, to->object) == o->object &&
        (to->offset == OFFSET_ANY || to->offset == o->offset))
      return true;
  }
  return false;
}

/* Each operand means one object, or none of those that are followed. */
static bool check_operand(Context *x, ExprId address, SyncKind kind, uint8_t lock) {
  ContextObject *o = context_object_of(x, address);
  if (o) {
    if (o->kind && (o->kind != kind || o->lock != lock))
      return context_reject(x, "object %u is used in two ways", o->object);
    o->kind = (uint8_t)kind;
    o->lock = lock;
    return true;
  }
  for (uint32_t i = 0; i < x->objects.len; i++)
    if (may_mean(x, address, &x->objects.data[i]))
      return context_reject(x, "object %u is also used in a way that is not known",
                            x->objects.data[i].object);
  return true;
}

static void note_type(ContextObject *o, int type) {
  o->type = o->type == -2 || o->type == type ? type : -1;
}

static void note_init(Context *x, const Edge *e) {
  ContextObject *o = e->op == OP_LOCK_INIT ? context_object_of(x, e->a) : NULL;
  if (!o) return;
  const Expr *b = program_expr(x->p, e->b);
  bool pointer = e->b && b->sort == SORT_PTR;
  bool known = !e->b || (b->kind == EXPR_CONST && !(pointer && b->value));
  uint64_t kind = e->b && !pointer ? b->value : 0;
  note_type(o, known ? (int)lock_type_of_init((LockKind)o->lock, kind) : -1);
}

static void note_bytes(Context *x, ContextObject *o) {
  uint64_t kind = 0;
  if (o->kind != SYNC_LOCK || x->p->objects.data[o->object].kind != OBJECT_GLOBAL) return;
  Term bytes =
      context_initial(x, o->object, o->offset + MUTEX_KIND_OFFSET, MUTEX_KIND_BYTES);
  bool known = o->lock != LOCK_MUTEX || (bytes && term_get_const(x->t, bytes, &kind));
  note_type(o, known ? (int)lock_type_of_init((LockKind)o->lock, kind) : -1);
}

/* ---- writes over objects ---- */

static uint32_t size_of(const ContextObject *o) {
  enum { MUTEX_BYTES = 40, RWLOCK_BYTES = 56, WORD = 4 };
  if (o->kind != SYNC_LOCK || o->lock == LOCK_SPIN || o->lock == LOCK_RECURSIVE)
    return WORD;
  return o->lock == LOCK_RW ? RWLOCK_BYTES : MUTEX_BYTES;
}

/* A semaphore or flag that is written over is in no known state; a lock that is in use must not be, but
 * its type may be another one then. */
static void note_write(void *user, const Touch *t) {
  Context *x = user;
  if (!(t->kind & TOUCH_WRITE) || (t->kind & TOUCH_SYNC)) return;
  for (uint32_t i = 0; i < x->objects.len; i++) {
    ContextObject *o = &x->objects.data[i];
    if (t->key ? t->key != o->object : !pointsto_escapes(x->pt, o->object)) continue;
    PlaceExtent a = pointsto_extent(x->pt, o->object, t->key ? t->offset : OFFSET_ANY,
                                    t->size, false);
    PlaceExtent b = pointsto_extent(x->pt, o->object, o->offset, size_of(o), true);
    if (a.from >= b.to || b.from >= a.to) continue;
    o->type = -1;
    if (o->kind != SYNC_LOCK) context_reject(x, "object %u is written over", o->object);
  }
}

static bool check_steps(Context *x) {
  for (uint32_t k = 0; k < x->automata->kinds.len; k++) {
    const Automaton *a = &x->automata->kinds.data[k];
    for (uint32_t i = 1; i < a->steps.len; i++) {
      const Edge *e = program_edge(x->p, a->steps.data[i].edge);
      SyncKind kind = op_sync_kind((OpKind)e->op);
      if (is_followed_kind(kind) && !check_operand(x, e->a, kind, e->lock)) return false;
      if (e->op == OP_WAIT && !check_operand(x, e->b, SYNC_LOCK, LOCK_MUTEX))
        return false;
    }
  }
  return true;
}

/* In the whole program: a slice may have cut what writes over an object. */
static void note_edges(Context *x) {
  const Program *p = x->q->program;
  for (EdgeId e = 1; e < p->edges.len; e++) {
    const Edge *edge = program_edge(p, e);
    if (!pointsto_is_reachable(x->pt, p->nodes.data[edge->from].function)) continue;
    note_init(x, edge);
    touch_visit(p, x->pt, e, note_write, x);
  }
}

bool context_find_objects(Context *x) {
  x->robust = program_may_be_robust(x->p);
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    bool ghost = v->what == IS_SHARED || v->what == IS_OWN;
    if (!ghost || v->ghost == GHOST_ENDED || v->ghost == GHOST_KNOWN ||
        v->ghost == GHOST_ALL || v->ghost == CONTEXT_COUNTS ||
        v->ghost == CONTEXT_ELEMENT || v->ghost == CONTEXT_MADE)
      continue;
    uint64_t *known = map_at(&x->object_at, key_of(v->object, v->offset));
    if (*known) continue;
    vec_push(&x->objects,
             ((ContextObject){.object = v->object, .offset = v->offset, .type = -2}));
    *known = x->objects.len;
  }
  if (!check_steps(x)) return false;
  for (uint32_t i = 0; i < x->objects.len; i++) note_bytes(x, &x->objects.data[i]);
  note_edges(x);
  for (uint32_t i = 0; i < x->objects.len; i++) {
    ContextObject *o = &x->objects.data[i];
    if (o->type == -2) o->type = -1;
    o->counted = o->type == -1 || o->type == MUTEX_RECURSIVE;
    o->owned = o->lock == LOCK_RW || o->type != MUTEX_NORMAL;
    if (o->kind == SYNC_LOCK && o->type == -1)
      x->doubt = "of which type a mutex is, is not seen by the checker";
    if (x->robust && o->lock == LOCK_MUTEX && o->type < 0)
      return context_reject(x, "object %u may be a robust mutex", o->object);
    if ((x->p->objects.data[o->object].flags & OBJECT_EXTERNAL) ||
        pointsto_place_step(x->pt, o->object, o->offset))
      return context_reject(x, "object %u is no single one", o->object);
  }
  return !x->result->why;
}

Term context_ghost_start(Context *x, const ContextVariable *v) {
  if (v->ghost == GHOST_VALUE && v->what == IS_SHARED)
    return context_initial(x, v->object, v->offset + SEM_VALUE_OFFSET, SEM_VALUE_BYTES);
  if (v->ghost == GHOST_DONE) {
    Term flag = context_initial(x, v->object, v->offset, ONCE_BYTES);
    return flag ? term_eq(x->t, flag, term_const(x->t, 32, ONCE_DONE)) : 0;
  }
  return v->ghost == GHOST_KNOWN || v->ghost == CONTEXT_ELEMENT
             ? 0
             : term_const(x->t, v->bits, 0);
}
