/* One step: what holds after an operation, if a claimed state held before it. Each operation
 * has one rule here, argued where it stands; calls and threads are in their own files. */
#include "proof/proof_internal.h"

#include "model/refusal.h"

#include <assert.h>

/* ---- cells ---- */

typedef struct {
  World *w;
  VEC(uint32_t) cells; /* symbols of the cells that are known or mentioned */
} Forget;

/* Some value of the world speaks of the cell's content. */
static bool is_mentioned(const World *w, uint32_t symbol) {
  for (uint32_t i = 0; i < w->bindings.len; i++) {
    const CertBinding *b = &w->bindings.data[i];
    if (val_mentions(&b->value, symbol) ||
        (b->kind != CERT_LOCAL_IS && b->subject == symbol))
      return true;
  }
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (val_mentions(&w->locks.data[i].name, symbol)) return true;
  return false;
}

static void forget_target(Proof *p, const Access *a, AObject object, uint32_t offset,
                          const Val *address, void *data) {
  Forget *f = data;
  for (uint32_t i = 0; i < f->cells.len; i++) {
    uint32_t symbol = f->cells.data[i];
    if (!symbol || !touches_cell(p, a, object, offset, address, symbol)) continue;
    world_drop_cell(f->w, CERT_CELL_IS, symbol);
    world_drop_cell(f->w, CERT_ID_IS, symbol);
    world_rename(p, f->w, symbol);
    f->cells.data[i] = 0;
  }
}

void forget_written(Proof *p, World *w, EdgeId e) {
  AccessVec accesses = {0};
  Forget f = {.w = w};
  edge_accesses(p, e, &accesses);
  bool any = false;
  for (uint32_t i = 0; i < accesses.len; i++)
    any = any || (accesses.data[i].flags & ACCESS_WRITE);
  for (uint32_t i = 0; any && i < p->cells.len; i++)
    if (is_mentioned(w, p->cells.data[i])) vec_push(&f.cells, p->cells.data[i]);
  for (uint32_t i = 0; f.cells.len && i < accesses.len; i++)
    if (accesses.data[i].flags & ACCESS_WRITE)
      visit_targets(p, w, &accesses.data[i], forget_target, &f);
  vec_free(&f.cells);
  vec_free(&accesses);
}

/* ---- fresh objects ---- */

static void unfresh(World *w, uint32_t symbol) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->fresh.len; i++)
    if (w->fresh.data[i] != symbol) w->fresh.data[kept++] = w->fresh.data[i];
  w->fresh.len = kept;
}

void escape_expr(Proof *p, World *w, ExprId e) {
  if (!e || !w->fresh.len) return;
  const Expr *x = program_expr(p->p, e);
  if (x->bits == 1) return; /* the answer of a comparison tells nobody an address */
  if (x->kind == EXPR_LOCAL) {
    Val v = world_local(p, w, (LocalId)x->data);
    if (v.known && (v.base & 1)) unfresh(w, v.base >> 1);
    if (v.known && v.index) unfresh(w, v.index);
    return;
  }
  if (x->weight > 2000) {
    vec_clear(&w->fresh);
    return;
  }
  ExprId parts[] = {x->a, x->b, x->c};
  for (int i = 0; i < expr_operand_count((ExprKind)x->kind); i++)
    escape_expr(p, w, parts[i]);
}

/* ---- results ---- */

static void set_results(Proof *p, World *w, const Edge *e, Val first, Val second) {
  if (e->dst) world_set_local(p, w, e->dst, first);
  w->edge_value[0] = first;
  if (!e->dst2) return;
  world_set_local(p, w, e->dst2, second);
  w->edge_value[1] = second;
}

static void set_result(Proof *p, World *w, const Edge *e, Val v) {
  if (!v.known) v = world_new_value(p, w);
  set_results(p, w, e, v, e->dst2 ? world_new_value(p, w) : val_unknown());
}

Val success(const Proof *p, const Edge *e) {
  const SyncResult *r = e->dst && e->aux ? vec_at(&p->p->results, e->aux) : NULL;
  bool sure = r && !r->no_result && !refusal_is_possible(p->p, e);
  return sure ? val_number(r->ok) : val_unknown();
}

/* What is not modelled: any result, the writes of the edge. */
static void step_plain(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  if (edge->op == OP_RMW || edge->op == OP_CMPXCHG) {
    escape_expr(p, w, edge->b);
    escape_expr(p, w, edge->c);
  }
  forget_written(p, w, e);
  set_result(p, w, edge, val_unknown());
  world_arrive(p, w, context, e);
}

/* dst := a. A pointer into a fresh object that is still known as such stays harmless. */
static void step_assign(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  Val v = eval(p, w, edge->a);
  if (!(v.known && (v.base & 1))) escape_expr(p, w, edge->a);
  set_result(p, w, edge, v);
  world_arrive(p, w, context, e);
}

/* A load yields what is known of the cell, or a new value. Cells are single objects: a cell
 * that nobody writes while other threads run has one value all the time. */
static void step_load(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  Val address = eval(p, w, edge->a), v = val_unknown();
  uint32_t cell = cell_at(p, &address, edge->size), ids = cell_at(p, &address, 0);
  const Val *id = ids && edge->size == 8 ? world_cell(w, CERT_ID_IS, ids) : NULL;
  int64_t kind;
  if (id && val_is_number(id, &kind) && map_get(&p->thread_symbols, (uint64_t)kind))
    v = val_symbol((uint32_t)map_find(&p->thread_symbols, (uint64_t)kind, 0));
  else if (cell && object_is_single(p, p->c->symbols.data[cell].a) &&
           (!world_is_shared(w) || !cell_is_written(p, cell)))
    v = world_normal(p, w, val_symbol(cell), edge->size * 8);
  set_result(p, w, edge, v);
  world_arrive(p, w, context, e);
}

static void step_store(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  Val address = eval(p, w, edge->a), v = eval(p, w, edge->b);
  escape_expr(p, w, edge->b);
  forget_written(p, w, e);
  uint32_t cell = cell_at(p, &address, edge->size);
  if (cell && v.known && object_is_single(p, p->c->symbols.data[cell].a))
    world_set_cell(w, CERT_CELL_IS, cell, v);
  world_arrive(p, w, context, e);
}

/* ---- locks ---- */

/* The mutex there may be of the type that checks for errors: some type is set to it, or it is
 * initialised so, or its type may come with data. */
static bool may_check_errors(const Proof *p, ObjectId object, uint64_t offset,
                             bool exact) {
  enum { KIND_AT = 16, KIND_BYTES = 4, ERRORCHECK = 2 };
  const Object *o = &p->p->objects.data[object];
  uint64_t at = offset + KIND_AT;
  EdgeId writer;
  if (p->sets_errorcheck || !only_writer(p, object, (int64_t)at, KIND_BYTES, &writer) ||
      writer)
    return true;
  return at < o->init_size && (!exact || p->p->bytes.data[o->init + at] == ERRORCHECK);
}

/* To take a mutex that is held already ends in a deadlock, counts, or (if it checks for errors)
 * fails and changes nothing. */
static bool fails_or_counts(const Proof *p, const Val *name, uint32_t kind) {
  if (kind != LOCK_MUTEX) return true;
  return name->base && !(name->base & 1) && !name->index && name->offset >= 0 &&
         !may_check_errors(p, name->base >> 1, (uint64_t)name->offset, true);
}

/* Read-write locks, and mutexes that check for errors, tell a thread that it holds them already:
 * then the result is an error, and they are held as before. */
static bool may_refuse(const Proof *p, const Edge *edge) {
  if (edge->lock != LOCK_MUTEX) return edge->lock == LOCK_RW;
  Targets t = pointsto_expr(p->pt, edge->a);
  for (uint32_t i = 0; i < t.count; i++) {
    bool exact = t.targets[i].offset != OFFSET_ANY;
    if (!t.targets[i].function &&
        may_check_errors(p, pointsto_object(p->pt, t.targets[i].object),
                         exact ? t.targets[i].offset : 0, exact))
      return true;
  }
  return p->sets_errorcheck;
}

static bool surely_different(Proof *p, const Val *x, const Val *y) {
  if (!x->known || !y->known || !names_one(p, x)) return false;
  bool objects = x->base && y->base && !(x->base & 1) && !(y->base & 1);
  if (objects && x->base != y->base) return true;
  return x->base == y->base && x->index == y->index && x->stride == y->stride &&
         x->offset != y->offset;
}

/* What is held already stays as it is, and counts once more only where that is sure. A lock that refuses to be
 * taken twice may be one that is held under another name: then nothing new is held. */
static void hold(Proof *p, World *w, const CertLock *lock, bool refuses) {
  bool refused = false;
  for (uint32_t i = 0; i < w->locks.len; i++) {
    CertLock *have = &w->locks.data[i];
    if (have->kind != lock->kind) continue;
    Val name = world_normal(p, w, have->name, 64);
    if (val_equal(&name, &lock->name) && names_one(p, &name)) {
      bool reads = have->mode == MODE_SHARED && lock->mode == MODE_SHARED;
      if (have->kind == LOCK_RW ? reads : fails_or_counts(p, &name, lock->kind))
        have->depth++;
      else
        against_orders(p, w->edge, "it is not known how often the lock is held");
      return;
    }
    refused = refused || (refuses && !surely_different(p, &name, &lock->name));
  }
  if (refused)
    against_orders(p, w->edge, "the lock may be held already, by another name");
  if (!refused) vec_push(&w->locks, *lock);
}

/* A word that is held already cannot be taken: then this does not happen. */
static void hold_word(Proof *p, World *w, const CertLock *lock) {
  for (uint32_t i = 0; i < w->locks.len; i++) {
    Val name = world_normal(p, w, w->locks.data[i].name, 64);
    if (w->locks.data[i].kind == LOCK_WORD && val_equal(&name, &lock->name)) return;
  }
  vec_push(&w->locks, *lock);
}

/* A structure whose inside belongs to the C library: it is one thing. */
static bool is_lock_type(const Proof *p, TypeId type) {
  const Type *t = &p->p->types.data[type];
  return t->kind == TYPE_ALIAS && !strncmp(sym_text(p->p, t->name), "pthread_", 8);
}

static bool is_single_place(const Proof *p, ObjectId object, uint32_t offset) {
  TypeId type = p->p->objects.data[object].type;
  uint64_t at = offset;
  if (at == 0 && is_lock_type(p, type)) return true;
  for (int depth = 0; depth < 64; depth++) {
    const Type *t = &p->p->types.data[type_resolve(p->p, type)];
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_NONE) return false;
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION) return true;
    const Field *found = NULL;
    for (uint32_t i = 0; i < t->field_count && t->kind == TYPE_STRUCT; i++) {
      const Field *f = &p->p->fields.data[t->first_field + i];
      if (f->bit_offset / 8 <= at && at < f->bit_offset / 8 + (f->bit_size + 7) / 8)
        found = f;
    }
    if (!found) return at == 0; /* the union, or what has no members there, as a whole */
    at -= found->bit_offset / 8;
    type = found->type;
    if (at == 0 && is_lock_type(p, type)) return true;
  }
  return false;
}

/* What the lock is called. A pointer that can only point to one place of one object that exists
 * once, by the points-to relation, is that place's address. */
Val lock_name(Proof *p, World *w, ExprId address) {
  Val v = eval(p, w, address);
  if (v.known && v.base && !(v.base & 1)) return v;
  Targets t = pointsto_expr(p->pt, address);
  if (t.count != 1 || t.unknown || t.targets[0].function ||
      t.targets[0].offset == OFFSET_ANY)
    return v;
  AObject o = t.targets[0].object;
  if (pointsto_object_kind(p->pt, o) != AOBJECT_PROGRAM || !object_is_single(p, o) ||
      !is_single_place(p, o, t.targets[0].offset))
    return v;
  v = val_object(o);
  v.offset = t.targets[0].offset;
  return v;
}

/* A lock that blocks is held when it returns. A try or a timed lock is held if it returned
 * success, and the result tells which it was. */
static void step_lock(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  const SyncResult *r = edge->dst && edge->aux ? vec_at(&p->p->results, edge->aux) : NULL;
  CertLock lock = {.name = lock_name(p, w, edge->a),
                   .kind = edge->lock,
                   .mode = edge->mode,
                   .depth = 1};
  World won = {0};
  world_copy(&won, w);
  hold(p, &won, &lock, may_refuse(p, edge));
  bool sure =
      r && !r->no_result && (edge->attempt != ATTEMPT_BLOCK || !may_refuse(p, edge));
  set_result(p, &won, edge, sure ? val_number(r->ok) : val_unknown());
  world_arrive(p, &won, context, e);
  world_free(&won);
  if (edge->attempt == ATTEMPT_BLOCK) return;
  Val failed = val_unknown(); /* it may be refused, or the time may be over */
  bool refused = edge->attempt == ATTEMPT_TIMED && may_refuse(p, edge);
  if (r && !r->no_result && !refused && refusal_of_time(p->p, edge)) {
    failed = world_new_value(p, w);
    if (r->ok == 0) vec_push(&w->nonzero, (NonZero){failed.base >> 1, r->bits});
  } else if (r && !r->no_result && !refused)
    failed = val_number(r->in_errno                    ? -1
                        : edge->attempt == ATTEMPT_TRY ? r->busy
                                                       : r->timeout);
  set_result(p, w, edge, failed);
  world_arrive(p, w, context, e);
}

void release_any(Proof *p, World *w, ExprId address, const Val *name, uint32_t kind) {
  Targets t = pointsto_expr(p->pt, address);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->locks.len; i++) {
    Val held = world_normal(p, w, w->locks.data[i].name, 64);
    bool apart = (kind != LOCK_NONE && w->locks.data[i].kind != kind) ||
                 surely_different(p, &held, name);
    if (!apart && held.known && held.base && !(held.base & 1) && !t.unknown) {
      apart = true;
      for (uint32_t k = 0; k < t.count; k++)
        apart = apart && (t.targets[k].function || t.targets[k].object != held.base >> 1);
    }
    if (apart) w->locks.data[kept++] = w->locks.data[i];
  }
  w->locks.len = kept;
}

/* The name is held: that one is released, once, and it succeeds. Locks of other names stay: they
 * are other locks, or the same one taken once more. Otherwise everything that it may be is
 * released, and it may fail. */
static bool release(Proof *p, World *w, const Edge *edge) {
  Val name = lock_name(p, w, edge->a);
  for (uint32_t i = 0; i < w->locks.len; i++) {
    CertLock *l = &w->locks.data[i];
    Val held = world_normal(p, w, l->name, 64);
    if (l->kind != edge->lock || !val_equal(&held, &name) || !names_one(p, &held))
      continue;
    assert(l->depth > 0);
    if (--l->depth == 0) w->locks.data[i] = vec_pop(&w->locks);
    return true;
  }
  against_orders(p, w->edge, "what is released is not surely held");
  release_any(p, w, edge->a, &name, edge->lock);
  note_foreign_release(p, w, &name, edge->a);
  return false;
}

/* The mutex of a wait is released and taken again: held before and after. If it is not surely held
 * before, it may be another thread's that is released. */
static void check_wait(Proof *p, const World *w, const Edge *edge) {
  Val name = lock_name(p, (World *)w, edge->b);
  for (uint32_t i = 0; i < w->locks.len; i++) {
    Val held = world_normal(p, w, w->locks.data[i].name, 64);
    if (!val_equal(&held, &name) || !names_one(p, &held)) continue;
    if (w->locks.data[i].depth > 1)
      against_orders(p, w->edge, "it waits with a lock that it holds twice");
    return;
  }
  against_orders(p, w->edge, "what is released is not surely held");
  note_foreign_release(p, w, &name, edge->b);
}

/* ---- the end of a function ---- */

static void step_return(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  const CertContext *c = vec_at(&p->c->contexts, context);
  Val result = eval(p, w, edge->a);
  if (edge->a && !(result.known && (result.base & 1))) escape_expr(p, w, edge->a);
  /* The locals are gone: only the result may still point into a fresh object. */
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->bindings.len; i++)
    if (w->bindings.data[i].kind != CERT_LOCAL_IS)
      w->bindings.data[kept++] = w->bindings.data[i];
  w->bindings.len = kept;
  const char *why = "no exit is claimed";
  for (uint32_t i = 0; i < 2 * c->exit_count; i++) { /* those that name all locks first */
    const CertExit *x = &p->c->exits.data[c->first_exit + i % c->exit_count];
    if (i < c->exit_count && !names_all_locks(p, w, x->state)) continue;
    Val claimed = world_meaning(p, w, x->result, 0,
                                edge->a ? program_expr(p->p, edge->a)->bits : 64);
    if (x->result.known && !val_equal(&claimed, &result))
      why = arena_printf(p->arena, "the result is not %s", val_text(p, x->result));
    else if (world_fits(p, w, x->state, 0, &why)) {
      p->vague = i >= c->exit_count;
      take_claim(p, e);
      return;
    }
  }
  reject(p, e, "the claim at the return does not follow: %s (result %s)", why,
         val_text(p, result));
}

/* Objects that are made, destroyed or signalled: misuse apart, that succeeds. */
static void step_object(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  if (edge->op == OP_LOCK_INIT || edge->op == OP_LOCK_DESTROY) {
    Val name = lock_name(p, w, edge->a); /* it is free, or no lock any more */
    uint32_t before = w->locks.len;
    release_any(p, w, edge->a, &name, LOCK_NONE);
    if (w->locks.len != before)
      against_orders(p, e, "a lock that is held is made or destroyed");
  }
  set_result(p, w, edge, success(p, edge));
  world_arrive(p, w, context, e);
}

/* Of a word that serves as a lock: who finds 0 has it. */
static void step_exchange(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  if (!takes_word(p, w, edge)) {
    step_plain(p, context, w, e);
    return;
  }
  CertLock lock = {.name = lock_name(p, w, edge->a),
                   .kind = LOCK_WORD,
                   .mode = MODE_EXCLUSIVE,
                   .depth = 1};
  forget_written(p, w, e);
  World won = {0};
  world_copy(&won, w);
  hold_word(p, &won, &lock);
  set_results(p, &won, edge, val_number(0), val_number(1));
  world_arrive(p, &won, context, e);
  world_free(&won);
  set_results(p, w, edge, found_taken(p, w, edge), val_number(0));
  world_arrive(p, w, context, e);
}

void step(Proof *p, uint32_t context, uint32_t state, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  World w = {0};
  world_load(p, &w, state);
  w.edge = e;
  p->result->steps++;
  words_written(p, &w, e);
  switch ((OpKind)edge->op) {
  case OP_UNREACHABLE:
  case OP_EXIT:
  case OP_EXIT_THREAD: break; /* see find_leaves */
  case OP_ASSUME:
    if (!assume(p, &w, edge->a, true)) break;
    step_leave_loop(p, context, &w, e);
    world_arrive(p, &w, context, e);
    break;
  case OP_ASSERT: /* what fails does not go on */
    if (assume(p, &w, edge->a, true)) world_arrive(p, &w, context, e);
    break;
  case OP_WAIT:
    check_wait(p, &w, edge);
    set_result(p, &w, edge, val_unknown());
    world_arrive(p, &w, context, e);
    break;
  case OP_NOP:
  case OP_GOTO:
    set_result(p, &w, edge, val_unknown());
    world_arrive(p, &w, context, e);
    break;
  case OP_ASSIGN: step_assign(p, context, &w, e); break;
  case OP_RETURN: step_return(p, context, &w, e); break;
  case OP_LOAD: step_load(p, context, &w, e); break;
  case OP_STORE: step_store(p, context, &w, e); break;
  case OP_LOCK: step_lock(p, context, &w, e); break;
  case OP_UNLOCK:
    set_result(p, &w, edge, release(p, &w, edge) ? success(p, edge) : val_unknown());
    world_arrive(p, &w, context, e);
    break;
  case OP_LOCK_INIT:
  case OP_LOCK_DESTROY:
  case OP_COND_INIT:
  case OP_COND_DESTROY:
  case OPS_WAKE:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_INIT:
  case OP_SEM_POST:
  case OP_SEM_DESTROY:
  case OP_DETACH: step_object(p, context, &w, e); break;
  case OP_ALLOCA: /* this frame's instance, as for variables */
    set_result(p, &w, edge, edge_on_cycle(p, e) ? val_unknown() : val_object(edge->aux));
    world_arrive(p, &w, context, e);
    break;
  case OP_ATOMIC_BEGIN:
  case OP_ATOMIC_END:
    w.section = edge->op == OP_ATOMIC_BEGIN ? w.section + 1 : w.section - (w.section > 0);
    world_arrive(p, &w, context, e);
    break;
  case OP_CALL: step_call(p, context, &w, e); break;
  case OP_ONCE: step_once(p, context, &w, e); break;
  case OP_CREATE: step_create(p, context, &w, e); break;
  case OP_JOIN: step_join(p, context, &w, e); break;
  case OP_RMW:
  case OP_CMPXCHG: step_exchange(p, context, &w, e); break;
  case OP_HAVOC:
  case OP_FENCE:
  case OPS_BULK:
  case OP_STACK_SAVE:
  case OP_STACK_RESTORE:
  case OPS_VA:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_BARRIER_WAIT:
  case OP_SEM_WAIT:
  case OP_SEM_VALUE:
  case OPS_USER: step_plain(p, context, &w, e); break;
  }
  world_free(&w);
}
