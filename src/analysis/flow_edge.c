/* What each operation does to a state. See flow.h for the idea and flow_internal.h for the
 * parts; calls are in flow_call.c, creation in flow_thread.c, joins in flow_join.c. */
#include "analysis/flow_internal.h"

#include "analysis/single.h"
#include "model/op_access.h"
#include "model/refusal.h"

bool object_is_unique(Analyzer *a, ObjectId id) {
  return single_object(a->p, a->pt, id);
}

/* ---- locks ---- */

bool place_is_single(Analyzer *a, ObjectId object, uint32_t offset) {
  return single_offset(a->p, object, offset);
}

/* A lock by the value of its address: by its object where that is certain, else by symbol. */
FlowLock lock_of(Analyzer *a, const Work *w, const Edge *edge, ExprId address) {
  FlowLock lock = {.name = value_of_expr(a, w, address),
                   .kind = edge->lock,
                   .mode = edge->mode,
                   .depth = 1,
                   .shown = edge->path};
  lock.name.nonzero = 0;
  if (!lock.name.known || flow_is_symbol(lock.name.base)) {
    ObjectId object;
    uint32_t offset;
    if (single_target(a->p, a->pt, address, &object, &offset))
      lock.name = (FlowValue){.base = FLOW_OBJECT(object), .offset = offset, .known = 1};
  }
  lock.unique = lock.name.known && lock.name.base && !flow_is_symbol(lock.name.base) &&
                !lock.name.index && object_is_unique(a, flow_base_id(lock.name.base));
  if (lock.unique) lock.shown = 0; /* its name says it all; equal locks must look alike */
  return lock;
}

static bool same_name(const FlowLock *x, const FlowLock *y) {
  return value_equal(&x->name, &y->name);
}

static void acquire(Analyzer *a, Work *w, FlowLock lock) {
  if (!lock.name.known) {
    a->lost_locks = true;
    return;
  }
  for (uint32_t i = 0; i < w->locks.len; i++) {
    FlowLock *held = &w->locks.data[i];
    if (!same_name(held, &lock)) continue;
    bool reads =
        lock.kind == LOCK_RW && lock.mode == MODE_SHARED && held->mode == MODE_SHARED;
    if ((reads || lock_counts(a, &lock)) && held->depth < 100) {
      FlowLock again = *held;
      again.depth++;
      memmove(held, held + 1, (--w->locks.len - i) * sizeof *held);
      work_add_lock(w, again);
    }
    return;
  }
  work_add_lock(w, lock);
}

bool lock_may_be(Analyzer *a, ExprId address, const FlowLock *held) {
  if (!held->unique) return true;
  Targets t = pointsto_expr(a->pt, address);
  if (t.unknown) return true;
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function &&
        pointsto_object(a->pt, t.targets[i].object) == flow_base_id(held->name.base) &&
        (t.targets[i].offset == OFFSET_ANY ||
         t.targets[i].offset == pointsto_fold_offset(a->pt, t.targets[i].object,
                                                     (uint64_t)held->name.offset)))
      return true;
  return false;
}

/* True if it was known to be held: then it surely succeeds. */
static bool release(Analyzer *a, Work *w, const Edge *edge) {
  FlowLock lock = lock_of(a, w, edge, edge->a);
  for (uint32_t i = 0; i < w->locks.len && lock.name.known; i++) {
    FlowLock *held = &w->locks.data[i];
    if (!same_name(held, &lock)) continue;
    FlowLock rest = *held;
    memmove(held, held + 1, (--w->locks.len - i) * sizeof *held);
    if (rest.depth > 1) {
      rest.depth--;
      work_add_lock(w, rest);
    }
    return true;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->locks.len; i++) {
    bool other = lock.unique && w->locks.data[i].unique;
    if (other || (!lock.unique && !lock_may_be(a, edge->a, &w->locks.data[i])))
      w->locks.data[kept++] = w->locks.data[i];
    else
      a->lost_locks = true;
  }
  w->locks.len = kept;
  return false;
}

/* ---- results ---- */

static void bind_new(Analyzer *a, Work *w, EdgeId e, LocalId dst, uint32_t second) {
  if (dst)
    work_bind(w, dst,
              value_symbol(a, (Symbol){.kind = SYMBOL_EDGE, .a = e, .b = second}));
}

static void bind_result(Analyzer *a, Work *w, EdgeId e, bool success) {
  const Edge *edge = program_edge(a->p, e);
  if (!edge->dst) return;
  const SyncResult *r = edge->aux ? vec_at(&a->p->results, edge->aux) : NULL;
  if (!r || r->no_result)
    bind_new(a, w, e, edge->dst, 0);
  else if (success)
    work_bind(w, edge->dst, value_number(r->ok));
  else
    work_bind(w, edge->dst,
              value_number(r->in_errno                    ? -1
                           : edge->attempt == ATTEMPT_TRY ? r->busy
                                                          : r->timeout));
}

/* Any result but success. */
static void bind_failure(Analyzer *a, Work *w, EdgeId e) {
  const Edge *edge = program_edge(a->p, e);
  const SyncResult *r = edge->aux ? vec_at(&a->p->results, edge->aux) : NULL;
  if (!edge->dst) return;
  work_purge(a, w, SYMBOL_EDGE, e);
  FlowValue error = value_symbol(a, (Symbol){.kind = SYMBOL_EDGE, .a = e});
  error.nonzero = r && r->ok == 0;
  work_bind(w, edge->dst, error);
}

uint32_t once_id(Analyzer *a, const FlowValue *flag) {
  if (!flag->known || !flag->base || flow_is_symbol(flag->base) || flag->index ||
      !object_is_unique(a, flow_base_id(flag->base)) || flag->offset < 0 ||
      cell_is_stored(a, flow_base_id(flag->base), flag->offset))
    return 0; /* one that is written as data may let its routine run again */
  uint64_t key = (uint64_t)flow_base_id(flag->base) << 32 | (uint32_t)flag->offset;
  uint64_t *slot = map_at(&a->once_ids, key);
  if (!*slot) *slot = a->once_ids.len;
  return (uint32_t)*slot;
}

void once_finished(Analyzer *a, EdgeId e, Work *w, uint32_t once) {
  if (once) w->once_done = set_add(a->sets, w->once_done, once);
  bind_result(a, w, e, true);
}

/* ---- operations ---- */

enum { MAX_FOLLOWED = 2000 }; /* nodes of an expression that is looked through */

/* Where somebody looks at the result, success and failure are told apart: who could not create the
 * thread is alone with what it was to get, still has the locks that were to go over to it, and has
 * nobody to join. */
static void create_and_merge(Analyzer *a, uint32_t context, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  Work failed = {0};
  work_copy(&failed, w);
  create_transfer(a, context, e, w);
  work_purge(a, w, SYMBOL_EDGE, e);
  if (edge->dst && refusal_is_possible(a->p, edge)) {
    create_forget_id(a, context, e, &failed);
    bind_failure(a, &failed, e);
    node_merge(a, context, edge->to, &failed);
    bind_result(a, w, e, true);
  } else {
    bind_new(a, w, e, edge->dst, 0);
  }
  node_merge(a, context, edge->to, w);
  work_free(&failed);
}

static void lock_transfer(Analyzer *a, uint32_t context, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  if (edge->attempt != ATTEMPT_BLOCK) {
    Work failed = {0};
    work_copy(&failed, w);
    if (edge->attempt == ATTEMPT_TIMED && lock_may_refuse(a, edge))
      bind_new(a, &failed, e, edge->dst, 0);
    else if (refusal_of_time(a->p, edge))
      bind_failure(a, &failed, e);
    else
      bind_result(a, &failed, e, false);
    node_merge(a, context, edge->to, &failed);
    work_free(&failed);
  }
  acquire(a, w, lock_of(a, w, edge, edge->a));
  if (edge->attempt == ATTEMPT_BLOCK && lock_may_refuse(a, edge))
    bind_new(a, w, e, edge->dst, 0); /* and yet it is held, from before */
  else
    bind_result(a, w, e, true);
  node_merge(a, context, edge->to, w);
}

/* The result of the expression gets a name of its own: what a local in it points to is no longer
 * fresh, because the result may be stored under that name. A single bit tells no address. */
static void unfollow(Analyzer *a, Work *w, ExprId id) {
  const Expr *e = program_expr(a->p, id);
  if (!w->fresh.len || e->bits == 1) return;
  if (e->kind == EXPR_LOCAL) {
    FlowValue v = value_of_expr(a, w, id);
    work_publish(w, &v);
    return;
  }
  if (e->weight > MAX_FOLLOWED) {
    vec_clear(&w->fresh);
    return;
  }
  ExprId parts[] = {e->a, e->b, e->c};
  for (int i = 0; i < expr_operand_count((ExprKind)e->kind); i++)
    unfollow(a, w, parts[i]);
}

static void assign_transfer(Analyzer *a, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  FlowValue v = value_of_expr(a, w, edge->a);
  if (!v.known) unfollow(a, w, edge->a);
  work_purge(a, w, SYMBOL_EDGE, e);
  if (v.known && value_mentions(a, &v, SYMBOL_EDGE, e))
    v = value_unknown(); /* computed from its own last value */
  if (v.known)
    work_bind(w, edge->dst, v);
  else
    bind_new(a, w, e, edge->dst, 0);
}

static void load_transfer(Analyzer *a, uint32_t context, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  FlowValue address = value_of_expr(a, w, edge->a);
  address.nonzero = 0;
  bool renewed = value_mentions(a, &address, SYMBOL_LOAD, e);
  FlowValue fixed =
      edge->size <= 8 ? value_of_cell(a, w, &address, edge->size) : value_unknown();
  FlowValue id = edge->size == 8 ? id_in_cell(a, context, w, &address) : value_unknown();
  if (id.known) fixed = id;
  work_purge(a, w, SYMBOL_LOAD, e);
  if (edge->dst && fixed.known)
    work_bind(w, edge->dst, fixed);
  else if (edge->dst)
    work_bind(w, edge->dst,
              value_symbol(a, (Symbol){.kind = SYMBOL_LOAD,
                                       .a = e,
                                       .address = renewed ? value_unknown() : address}));
}

/* Of RMW and CMPXCHG. */
static void update_transfer(Analyzer *a, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  FlowValue v = value_of_expr(a, w, edge->op == OP_RMW ? edge->b : edge->c);
  if (v.known || program_expr(a->p, edge->b)->bits >= 64) work_publish(w, &v);
  work_purge(a, w, SYMBOL_EDGE, e);
  bind_new(a, w, e, edge->dst, 0);
  bind_new(a, w, e, edge->dst2, 1);
}

/* The result of what surely succeeds, or of what may be refused. */
static void bind_outcome(Analyzer *a, Work *w, EdgeId e, bool succeeds) {
  if (succeeds) {
    bind_result(a, w, e, true);
    return;
  }
  work_purge(a, w, SYMBOL_EDGE, e);
  bind_new(a, w, e, program_edge(a->p, e)->dst, 0);
}

static void plain_transfer(Analyzer *a, uint32_t context, EdgeId e, Work *w) {
  const Edge *edge = program_edge(a->p, e);
  switch ((OpKind)edge->op) {
  case OP_ASSIGN: assign_transfer(a, e, w); return;
  case OP_LOAD: load_transfer(a, context, e, w); return;
  case OP_STORE: {
    FlowValue v = value_of_expr(a, w, edge->b);
    const Expr *value = program_expr(a->p, edge->b);
    if (v.known || value->bits >= 64) work_publish(w, &v);
    return;
  }
  case OP_RMW:
  case OP_CMPXCHG: update_transfer(a, e, w); return;
  case OP_ALLOCA: /* in a loop every round makes another object, under one name */
    work_bind(w, edge->dst,
              single_in_activation(a->p, e)
                  ? (FlowValue){.base = FLOW_OBJECT(edge->aux), .known = 1}
                  : (FlowValue){0});
    return;
  case OP_UNLOCK:
    /* an error-checking mutex says that it is not held */
    bind_outcome(a, w, e, release(a, w, edge));
    return;
  case OP_JOIN:
    join_transfer(a, e, w);
    work_purge(a, w, SYMBOL_EDGE, e);
    bind_outcome(a, w, e, edge->attempt == ATTEMPT_BLOCK);
    return;
  case OP_ATOMIC_BEGIN: w->section++; return;
  case OP_ATOMIC_END: w->section -= w->section > 0; return;
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
  case OP_DETACH: bind_outcome(a, w, e, !refusal_is_possible(a->p, edge)); return;
  case OPS_MOVE:
  case OP_HAVOC:
  case OP_CALL:
  case OP_RETURN:
  case OP_UNREACHABLE:
  case OP_FENCE:
  case OPS_BULK:
  case OP_STACK_SAVE:
  case OP_STACK_RESTORE:
  case OPS_VA:
  case OP_CREATE:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK:
  case OP_WAIT:
  case OP_BARRIER_WAIT:
  case OP_SEM_WAIT:
  case OP_SEM_VALUE:
  case OP_ONCE:
  case OPS_USER:
  case OP_ASSERT:
  case OP_EXIT:
    work_purge(a, w, SYMBOL_EDGE, e);
    bind_new(a, w, e, edge->dst, 0);
    bind_new(a, w, e, edge->dst2, 1);
  }
}

void edge_transfer(Analyzer *a, uint32_t context, EdgeId e, const Work *before) {
  const Edge *edge = program_edge(a->p, e);
  Work w = {0};
  work_copy(&w, before);
  words_overwrite(a, e, &w);
  /* alone again, the thread may change what was fixed meanwhile */
  if (!work_is_shared_time(&w) &&
      (op_may_write((OpKind)edge->op) || op_has(edge->op, OP_CALLS)))
    work_purge(a, &w, SYMBOL_CELL, 0);
  switch ((OpKind)edge->op) {
  case OP_ASSUME:
    if (assume_condition(a, &w, edge->a)) {
      loop_exit_transfer(a, context, e, &w);
      node_merge(a, context, edge->to, &w);
    }
    break;
  case OP_ASSERT:
    if (assume_condition(a, &w, edge->a)) node_merge(a, context, edge->to, &w);
    break;
  case OP_CALL: call_transfer(a, context, e, &w); break;
  case OP_ONCE: once_transfer(a, context, e, &w); break;
  case OP_RETURN:
    context_exit(a, context, &w,
                 edge->a ? value_of_expr(a, &w, edge->a) : value_unknown());
    break;
  case OP_EXIT_THREAD:
    /* leaves every frame at once: what is alive now may be alive at the thread's end */
    a->any_exit_alive = set_union(a->sets, a->any_exit_alive, w.alive);
    break;
  case OP_EXIT:
  case OP_UNREACHABLE: break;
  case OP_LOCK: lock_transfer(a, context, e, &w); break;
  case OP_CREATE: create_and_merge(a, context, e, &w); break;
  case OP_NOP:
  case OPS_SET:
  case OP_GOTO:
  case OPS_MEMORY:
  case OP_JOIN:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK_INIT:
  case OP_UNLOCK:
  case OP_LOCK_DESTROY:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OPS_USER:
  case OPS_SECTION:
    if (word_is_taken(a, e, &w)) {
      word_take(a, context, e, &w);
      break;
    }
    plain_transfer(a, context, e, &w);
    if (edge->to) node_merge(a, context, edge->to, &w);
  }
  work_free(&w);
}
