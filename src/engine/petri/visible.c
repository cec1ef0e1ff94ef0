/* Visible operations: which they are, and their transitions. Each follows docs/petri.md,
 * where the argument stands why the program's own step is always among the net's. */
#include "engine/petri/visible.h"

/* ---- accesses ---- */

static bool is_by_template(const Translation *t, const LocalState *s, uint32_t access) {
  uint32_t thread = t->templates.data[s->template].flow_thread;
  return thread == NET_NONE || t->w->flow->accesses.data[access].thread == thread;
}

static bool has_accesses(const Translation *t, const LocalState *s, EdgeId edge) {
  const World *w = t->w;
  for (uint32_t i = w->first_access[edge]; i < w->first_access[edge + 1]; i++)
    if (is_by_template(t, s, w->accesses.data[i])) return true;
  return false;
}

/* Leaving the function ends the life of variables that others may be using. */
static bool ends_shared(const Translation *t, FuncId function) {
  const World *w = t->w;
  const Function *f = vec_at(&t->p->functions, function);
  const uint8_t *watched = w->question->watched;
  for (uint32_t i = 0; i < f->object_count; i++) {
    ObjectId o = *vec_at(&t->p->frame_objects, f->first_object + i);
    if (!sharing_is_private(w->flow->sharing, o) && (!watched || watched[o]) &&
        !(w->question->racy && w->question->racy[o]))
      return true;
  }
  return false;
}

static uint32_t reader_set(Translation *t, const LocalState *s) {
  StateNumbers set = {0};
  for (uint32_t i = 0; i < s->holds.len; i++)
    if (s->holds.data[i].shared) vec_push(&set, s->holds.data[i].sync);
  uint64_t *slot =
      strmap_at(&t->reader_index, set.len ? (const char *)set.data : "", set.len * 4);
  if (!*slot) {
    vec_push(&t->reader_sets, set);
    *slot = t->reader_sets.len;
  } else {
    vec_free(&set);
  }
  return (uint32_t)*slot - 1;
}

/* The thread may stop here for ever, in the sight of others. */
static void add_sight(Translation *t, uint32_t state, const LocalState *s, Sight sight) {
  sight.edge = t->edge;
  sight.thread = t->templates.data[s->template].flow_thread;
  sight.readers = reader_set(t, s);
  uint64_t *slot = strmap_at(&t->sight_index, (const char *)&sight, sizeof sight);
  if (!*slot) {
    vec_push(&t->sights, sight);
    *slot = t->sights.len;
  }
  vec_clear(&t->taken);
  vec_clear(&t->given);
  translate_give(t, RESOURCE_SEEN, (uint32_t)*slot - 1, 0, 1);
  translate_step_to(t, state, NET_NONE, (NetStep){0});
}

static StepResult add_access_sight(Translation *t, uint32_t state, LocalState *s,
                                   const Edge *e) {
  Sight sight = {0};
  bool plain =
      e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_RMW || e->op == OP_CMPXCHG;
  if (plain) {
    bool exact;
    vec_clear(&t->spots);
    StepResult out = pn_memory_find(t, local_eval(t->w, s, e->a), e->a, &exact);
    if (out != STEP_ON) return out;
    if (exact && t->spots.data[0].offset <= UINT32_MAX) {
      sight.object = t->spots.data[0].object;
      sight.offset = (uint32_t)t->spots.data[0].offset;
      sight.size = e->size;
    }
  }
  add_sight(t, state, s, sight);
  return STEP_ON;
}

/* The assertion is asked about, and may fail in this state. */
static bool may_fail(Translation *t, LocalState *s, EdgeId edge) {
  const uint8_t *asserts = t->w->question->asserts;
  const Edge *e = program_edge(t->p, edge);
  return asserts && asserts[edge] && abs_truth(local_eval(t->w, s, e->a)) != 1;
}

static StepResult expand_assertion(Translation *t, uint32_t state, LocalState *s) {
  if (!t->states.data[state].expanded) add_sight(t, state, s, (Sight){.fails = 1});
  return visible_pass(t, state, s);
}

/* ---- which are visible ---- */

static Family family_of(OpKind op) {
  switch (op) {
  case OP_SEM_INIT:
  case OP_SEM_WAIT:
  case OP_SEM_POST: return FAMILY_SEMAPHORE;
  case OP_BARRIER_WAIT: return FAMILY_BARRIER;
  case OP_ONCE: return FAMILY_ONCE;
  case OPS_LOCK:
  case OP_WAIT: return FAMILY_LOCK;
  case OPS_SEQUENTIAL:
  case OPS_THREAD:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_VALUE:
  case OP_SEM_DESTROY:
  case OPS_USER:
  case OPS_SECTION: break;
  }
  return FAMILY_LOCK;
}

static bool is_atomic_call(const Translation *t, LocalState *s, const Edge *e) {
  AbsValue v = local_eval(t->w, s, e->a);
  if (abs_tag(v) == ABS_FUNCTION)
    return vec_at(&t->p->functions, abs_id(v))->flags & FUNCTION_ATOMIC;
  const FuncId *functions;
  uint32_t n = pointsto_callees(t->w->pointsto, t->edge, &functions);
  for (uint32_t i = 0; i < n; i++)
    if (vec_at(&t->p->functions, functions[i])->flags & FUNCTION_ATOMIC) return true;
  return false;
}

static StepResult returns_visibly(const Translation *t, LocalState *s,
                                  bool *ret_visible) {
  const LocalFrame *f = local_top(s);
  bool atomic = vec_at(&t->p->functions, f->function)->flags & FUNCTION_ATOMIC;
  if (f->kind == CALL_BOTTOM && s->template == 0) return STEP_PRUNED;
  *ret_visible = f->kind == CALL_BOTTOM || atomic || (f->kind == CALL_ONCE && f->once) ||
                 ends_shared(t, f->function);
  return STEP_ON;
}

static StepResult touches_variable(Translation *t, LocalState *s, const Edge *e,
                                   bool *ret_visible) {
  StepResult out = pn_memory_collect_writes(t, s, e);
  if (out == STEP_ON) *ret_visible = pn_memory_count_updates(t, s) > 0;
  return out;
}

static StepResult is_followed(Translation *t, LocalState *s, const Edge *e,
                              bool *ret_visible) {
  int sync_object;
  ExprId operand = e->op == OP_WAIT ? e->b : e->a;
  StepResult out =
      sync_objects_find(t, s, operand, family_of((OpKind)e->op), &sync_object);
  *ret_visible = sync_object != SYNC_OBJECT_NONE;
  return out;
}

StepResult visible_is(Translation *t, LocalState *s, EdgeId edge, bool *ret_visible) {
  const Edge *e = program_edge(t->p, edge);
  *ret_visible = true;
  if (s->stage != STAGE_START || s->update || has_accesses(t, s, edge)) return STEP_ON;
  *ret_visible = false;
  switch ((OpKind)e->op) {
  case OP_LOAD: {
    int variable;
    AbsValue v;
    StepResult out = pn_memory_load(t, s, e, &variable, &v);
    *ret_visible = out == STEP_ON && variable >= 0;
    return out;
  }
  case OP_STORE:
  case OP_RMW:
  case OP_CMPXCHG:
  case OP_COPY:
  case OP_FILL:
  case OPS_VA:
  case OP_SEM_VALUE: return touches_variable(t, s, e, ret_visible);
  case OP_CALL:
    *ret_visible = is_atomic_call(t, s, e);
    return *ret_visible ? STEP_ON : touches_variable(t, s, e, ret_visible);
  case OP_LOCK:
  case OP_UNLOCK:
  case OP_WAIT:
  case OP_SEM_INIT:
  case OP_SEM_WAIT:
  case OP_SEM_POST:
  case OP_BARRIER_WAIT:
  case OP_ONCE: return is_followed(t, s, e, ret_visible);
  case OP_CREATE:
  case OP_JOIN:
  case OP_EXIT_THREAD:
  case OP_ATOMIC_BEGIN:
  case OP_ATOMIC_END: *ret_visible = true; return STEP_ON;
  case OP_RETURN: return returns_visibly(t, s, ret_visible);
  case OP_ASSERT: *ret_visible = may_fail(t, s, edge); return STEP_ON;
  case OPS_MOVE:
  case OPS_SET:
  case OP_UNREACHABLE:
  case OP_FENCE:
  case OPS_STACK:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK_INIT:
  case OP_LOCK_DESTROY:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_DESTROY:
  case OPS_USER:
  case OP_EXIT: break;
  }
  return STEP_ON;
}

/* ---- memory ---- */

/* Everything that the operation does, followed by the rest of the way. */
static StepResult finish_all(Translation *t, uint32_t state, const LocalState *s) {
  LocalState next = {0};
  EdgeId edge = t->edge;
  StepResult out = STEP_ON;
  t->choice = 0;
  uint32_t choice = 0, ways;
  do {
    local_copy(&next, s);
    t->choice = choice;
    t->ways = 1;
    out = silent_step(t, &next, edge);
    ways = t->ways;
    t->edge = edge;
    if (out == STEP_ON) out = translate_step(t, state, &next, (NetStep){0});
    t->edge = edge;
    /* a call that never returns has still done what it does */
    if (out == STEP_PRUNED) translate_step_to(t, state, NET_NONE, (NetStep){0});
  } while (out != STEP_FAILED && ++choice < ways);
  local_free(&next);
  return out;
}

static StepResult update_variable(Translation *t, uint32_t state, LocalState *s,
                                  const Edge *e) {
  uint32_t variable = 0, count = pn_memory_count_updates(t, s);
  AbsValue value;
  StepResult out = STEP_ON;
  if (!pn_memory_update(t, s, s->update, &variable, &value))
    return finish_all(t, state, s);
  if (e->op == OP_CREATE) value = abs_make(ABS_THREAD, s->child - 1, 0);
  int lock = guarded_lock(t, variable); /* free: nobody else is there */
  uint32_t domain =
      lock == SYNC_OBJECT_NONE ? variable : t->sync_objects.data[lock].domain - 1;
  uint32_t after = lock == SYNC_OBJECT_NONE ? translate_value(t, variable, value) : 0;
  LocalState next = {0};
  for (uint32_t k = visible_ask(t, state, domain);
       k < t->domains.data[domain].values.len && out == STEP_ON; k++) {
    t->states.data[state].next_value = k + 1;
    if (k + 1 == t->domains.data[domain].excess) continue;
    vec_clear(&t->taken);
    vec_clear(&t->given);
    if (lock == SYNC_OBJECT_NONE) {
      translate_take(t, RESOURCE_VALUE, variable, k, 1);
      translate_give(t, RESOURCE_VALUE, variable, after, 1);
    } else {
      uint32_t n = guarded_replaced(t, (uint32_t)lock, k, variable, value);
      translate_take(t, RESOURCE_SYNC_OBJECT, (uint32_t)lock, SYNC_OBJECT_VALUES + k, 1);
      translate_give(t, RESOURCE_SYNC_OBJECT, (uint32_t)lock, SYNC_OBJECT_VALUES + n, 1);
    }
    local_copy(&next, s);
    if (++next.update < count)
      translate_step_to(t, state, translate_state(t, &next), (NetStep){0});
    else
      out = finish_all(t, state, s);
  }
  local_free(&next);
  return out;
}

static StepResult expand_write(Translation *t, uint32_t state, LocalState *s,
                               const Edge *e) {
  StepResult out = pn_memory_collect_writes(t, s, e);
  if (out != STEP_ON) return out;
  vec_clear(&t->taken);
  vec_clear(&t->given);
  return update_variable(t, state, s, e);
}

/* One transition for each value that the variable may have. */
static StepResult expand_read(Translation *t, uint32_t state, LocalState *s,
                              const Edge *e) {
  int variable;
  AbsValue value;
  StepResult out = pn_memory_load(t, s, e, &variable, &value);
  vec_clear(&t->taken);
  vec_clear(&t->given);
  if (out != STEP_ON) return out;
  if (variable < 0) return finish_all(t, state, s);
  int lock = guarded_lock(t, (uint32_t)variable);
  uint32_t domain = lock == SYNC_OBJECT_NONE ? (uint32_t)variable
                                             : t->sync_objects.data[lock].domain - 1;
  LocalState next = {0};
  for (uint32_t k = visible_ask(t, state, domain);
       k < t->domains.data[domain].values.len && out == STEP_ON; k++) {
    t->states.data[state].next_value = k + 1;
    if (k + 1 == t->domains.data[domain].excess) continue;
    vec_clear(&t->taken);
    vec_clear(&t->given);
    bool free = lock != SYNC_OBJECT_NONE;
    ResourceKind kind = free ? RESOURCE_SYNC_OBJECT : RESOURCE_VALUE;
    uint32_t a = (uint32_t)(free ? lock : variable),
             b = free ? SYNC_OBJECT_VALUES + k : k;
    translate_take(t, kind, a, b, 1);
    translate_give(t, kind, a, b, 1);
    local_copy(&next, s);
    local_set(t->w, &next, e->dst,
              free ? guarded_at(t, a, k, (uint32_t)variable)
                   : t->domains.data[variable].values.data[k]);
    if (!e->to) break;
    local_go(&next, e->to);
    out = translate_step(t, state, &next, (NetStep){0});
  }
  local_free(&next);
  return out;
}

static AbsValue combine(const Translation *t, const Edge *e, AbsValue old,
                        AbsValue operand) {
  const Expr *shape = program_expr(t->p, e->b);
  if (e->aux == RMW_XCHG) return operand;
  if (!abs_is_number(old) || !abs_is_number(operand) || shape->bits > 64 ||
      shape->sort != SORT_INT)
    return abs_top();
  uint64_t mask = shape->bits == 64 ? UINT64_MAX : (UINT64_C(1) << shape->bits) - 1;
  switch ((RmwKind)e->aux) {
  case RMW_ADD: return abs_number((old.num + operand.num) & mask);
  case RMW_SUB: return abs_number((old.num - operand.num) & mask);
  case RMW_AND: return abs_number(old.num & operand.num);
  case RMW_OR: return abs_number(old.num | operand.num);
  case RMW_XOR: return abs_number(old.num ^ operand.num);
  default: return abs_top();
  }
}

typedef struct {
  uint32_t variable, value; /* that it finds */
  AbsValue found, left;
  bool stores;
} Exchange;

static StepResult exchange_once(Translation *t, uint32_t state, const LocalState *s,
                                const Edge *e, Exchange x) {
  LocalState next = {0};
  uint32_t after = x.stores ? translate_value(t, x.variable, x.left) : x.value;
  vec_clear(&t->taken);
  vec_clear(&t->given);
  translate_take(t, RESOURCE_VALUE, x.variable, x.value, 1);
  translate_give(t, RESOURCE_VALUE, x.variable, after, 1);
  local_copy(&next, s);
  local_set(t->w, &next, e->dst, x.found);
  if (e->op == OP_CMPXCHG) local_set(t->w, &next, e->dst2, abs_number(x.stores));
  local_go(&next, e->to);
  StepResult out = translate_step(t, state, &next, (NetStep){0});
  local_free(&next);
  return out;
}

static StepResult expand_exchange(Translation *t, uint32_t state, LocalState *s,
                                  const Edge *e) {
  int variable;
  AbsValue value;
  Edge as_load = *e;
  as_load.dst = 0;
  StepResult out = pn_memory_load(t, s, &as_load, &variable, &value);
  if (out != STEP_ON) return out;
  if (variable < 0 || guarded_lock(t, (uint32_t)variable) != SYNC_OBJECT_NONE)
    return expand_write(t, state, s, e);
  AbsValue operand = local_eval(t->w, s, e->b), desired = local_eval(t->w, s, e->c);
  for (uint32_t k = visible_ask(t, state, (uint32_t)variable);
       k < t->domains.data[variable].values.len && out == STEP_ON && e->to; k++) {
    AbsValue old = t->domains.data[variable].values.data[k];
    Exchange x = {(uint32_t)variable, k, old, abs_top(), true};
    t->states.data[state].next_value = k + 1;
    if (k + 1 == t->domains.data[variable].excess) continue;
    if (e->op == OP_RMW) {
      x.left = combine(t, e, old, operand);
      out = exchange_once(t, state, s, e, x);
      continue;
    }
    int same = local_equal(t->w, old, operand);
    x.left = desired;
    if (same) out = exchange_once(t, state, s, e, x);
    x.stores = false;
    if (out == STEP_ON && (same != 1 || (e->flags & EDGE_WEAK)))
      out = exchange_once(t, state, s, e, x);
  }
  return out;
}

/* ---- all of them ---- */

static bool is_access_stage(const LocalState *s, const Edge *e) {
  bool late = e->op == OP_CREATE || e->op == OP_JOIN;
  return s->update == 0 && s->stage == (late ? STAGE_STORE : STAGE_START);
}

static bool only_one_edge(const Translation *t, const Edge *e) {
  return node_end_edge(t->p, e->from) - node_first_edge(t->p, e->from) == 1;
}

StepResult visible_expand(Translation *t, uint32_t state, LocalState *s, EdgeId edge) {
  const Edge *e = program_edge(t->p, edge);
  StepResult out = STEP_ON;
  if (e->op != OP_ASSUME && e->op != OP_GOTO && !only_one_edge(t, e))
    return translate_fail(t, "an operation is one of several ways");
  if (has_accesses(t, s, edge) && is_access_stage(s, e) &&
      !t->states.data[state].expanded)
    out = add_access_sight(t, state, s, e);
  if (out != STEP_ON) return out;
  switch ((OpKind)e->op) {
  case OP_LOAD: return expand_read(t, state, s, e);
  case OP_ASSERT: return expand_assertion(t, state, s);
  case OP_RMW:
  case OP_CMPXCHG: return expand_exchange(t, state, s, e);
  case OP_CREATE:
  case OP_JOIN:
    return s->stage == STAGE_STORE ? expand_write(t, state, s, e)
                                   : visible_expand_sync(t, state, s, e);
  case OP_RETURN:
    if (ends_shared(t, local_top(s)->function))
      add_sight(t, state, s, (Sight){.ends = local_top(s)->function});
    return visible_expand_sync(t, state, s, e);
  case OP_CALL:
    if (!is_atomic_call(t, s, e)) return expand_write(t, state, s, e);
    return visible_expand_sync(t, state, s, e);
  case OP_LOCK:
  case OP_UNLOCK:
  case OP_WAIT:
  case OP_SEM_INIT:
  case OP_SEM_WAIT:
  case OP_SEM_POST:
  case OP_BARRIER_WAIT:
  case OP_ONCE:
  case OP_EXIT_THREAD:
  case OP_ATOMIC_BEGIN:
  case OP_ATOMIC_END: return visible_expand_sync(t, state, s, e);
  case OPS_MOVE:
  case OPS_SET:
  case OP_UNREACHABLE:
  case OP_STORE:
  case OP_FENCE:
  case OPS_BULK:
  case OPS_STACK:
  case OPS_VA:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK_INIT:
  case OP_LOCK_DESTROY:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_VALUE:
  case OP_SEM_DESTROY:
  case OPS_USER:
  case OP_EXIT: break;
  }
  return expand_write(t, state, s, e);
}

uint32_t visible_ask(Translation *t, uint32_t state, uint32_t domain) {
  NetState *x = &t->states.data[state];
  if (x->variable < 0) {
    x->variable = (int)domain;
    vec_push(&t->domains.data[domain].asked, state);
  }
  return x->next_value;
}

StepResult visible_pass(Translation *t, uint32_t state, const LocalState *s) {
  vec_clear(&t->taken);
  vec_clear(&t->given);
  return finish_all(t, state, s);
}
