/* Calls: the caller's names translated into the callee's, one context for each kind of
 * entry state, and the callee's exits translated back.
 *
 * In the callee, values are numbers, addresses of objects, or the callee's own parameters;
 * arguments that share a symbol in the caller share it in the callee. Locks that the callee
 * has no name for travel as opaque ones, so that it cannot be thought to release them by
 * another name. When a function has too many contexts, further entry states are made vaguer:
 * first facts about cells go, then numbers, then everything meets in one general context. */
#include "analysis/flow_internal.h"

/* ---- contexts ---- */

uint32_t context_new(Analyzer *a, FuncId function, uint32_t entry) {
  const Function *f = vec_at(&a->p->functions, function);
  Context c = {.function = function,
               .entry = entry,
               .nodes = arena_alloc_zero(a->arena, f->node_count * sizeof(NodeStates))};
  vec_push(&a->contexts, c);
  (*map_at(&a->context_count, function))++;
  return a->contexts.len - 1;
}

/* Everything that callers agree on, and no more. The main thread and the others have one each:
 * what holds in the one is not claimed of the other. */
static uint32_t general_context(Analyzer *a, FuncId function, Work *entry) {
  uint64_t key = (uint64_t)function << 1 | entry->in_thread;
  uint64_t known = map_find(&a->general, key, 0);
  if (!known) {
    uint32_t context = context_new(a, function, work_store(a, entry));
    map_put(&a->general, key, context + 1);
    vec_at(&a->contexts, context)->general = true;
    return context;
  }
  uint32_t context = (uint32_t)known - 1;
  Work joined = {0};
  work_load(a, &joined, vec_at(&a->contexts, context)->entry);
  const Function *f = vec_at(&a->p->functions, function);
  work_join(a, &joined, entry, f->entry);
  /* what differs is a parameter like any other */
  for (uint32_t i = 0; i < f->param_count; i++) {
    const FlowValue *v = work_find(&joined, f->first_local + i);
    if (!v || value_mentions(a, v, SYMBOL_PHI, f->entry))
      work_bind(&joined, f->first_local + i,
                value_symbol(a, (Symbol){.kind = SYMBOL_PARAM, .a = i}));
  }
  vec_at(&a->contexts, context)->entry = work_store(a, &joined);
  work_free(&joined);
  return context;
}

static void forget_numbers(Analyzer *a, FuncId function, Work *entry) {
  const Function *f = vec_at(&a->p->functions, function);
  for (uint32_t i = 0; i < f->param_count; i++) {
    const FlowValue *v = work_find(entry, f->first_local + i);
    int64_t n;
    if (v && value_is_number(v, &n))
      work_bind(entry, f->first_local + i,
                value_symbol(a, (Symbol){.kind = SYMBOL_PARAM, .a = i}));
  }
}

/* What was found out about cells that nobody changes: tests of settings, above all. */
static void forget_facts(Work *entry) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < entry->bindings.len; i++)
    if (!(entry->bindings.data[i].local & FACT))
      entry->bindings.data[kept++] = entry->bindings.data[i];
  entry->bindings.len = kept;
}

uint32_t context_enter(Analyzer *a, FuncId function, Work *entry) {
  const Function *f = vec_at(&a->p->functions, function);
  for (uint32_t i = 0; i < f->param_count; i++)
    if (!work_find(entry, f->first_local + i))
      work_bind(entry, f->first_local + i,
                value_symbol(a, (Symbol){.kind = SYMBOL_PARAM, .a = i}));
  if (f->flags & FUNCTION_ATOMIC) entry->section++;
  uint64_t count = map_find(&a->context_count, function, 0);
  if (count > a->max_contexts / 3) forget_facts(entry);
  if (count > a->max_contexts) forget_numbers(a, function, entry);
  uint32_t state = work_store(a, entry);
  uint32_t key[] = {function, state};
  uint64_t *slot = strmap_get(&a->context_ids, (const char *)key, sizeof key);
  uint32_t context;
  if (slot) {
    context = (uint32_t)*slot;
  } else if (count > 3 * a->max_contexts) {
    context = general_context(a, function, entry);
  } else {
    context = context_new(a, function, state);
    *strmap_at(&a->context_ids, (const char *)key, sizeof key) = context;
  }
  Work start = {0};
  work_load(a, &start, vec_at(&a->contexts, context)->entry);
  node_merge(a, context, f->entry, &start);
  work_free(&start);
  return context;
}

/* Who called has something new to go on with. */
static void exit_changed(Analyzer *a, uint32_t context, const Exit *exit) {
  /* by index: contexts may move */
  for (uint32_t i = 0; i < vec_at(&a->contexts, context)->callers.len; i++) {
    Caller caller = vec_at(&a->contexts, context)->callers.data[i];
    if (caller.node)
      enqueue(a, caller.context, caller.node);
    else
      dispatch_exit(a, caller.context, exit);
  }
}

void context_exit(Analyzer *a, uint32_t context, Work *w, FlowValue result) {
  /* only the caller's view survives: no bindings but those that name the result */
  vec_clear(&w->bindings);
  result.nonzero = 0;
  Exit exit = {work_store(a, w), result};
  Context *c = vec_at(&a->contexts, context);
  bool joined = false;
  for (uint32_t i = 0; i < c->exits.len; i++)
    if (c->exits.data[i].state == exit.state &&
        value_equal(&c->exits.data[i].result, &result))
      return;
  if (c->exits.len >= 2 * a->max_disjuncts) { /* join the results of equal states */
    for (uint32_t i = 0; i < c->exits.len; i++)
      if (c->exits.data[i].state == exit.state) {
        if (!c->exits.data[i].result.known) return;
        exit.result = c->exits.data[i].result = value_unknown();
        joined = true;
        break;
      }
  }
  if (!joined) vec_push(&c->exits, exit);
  exit_changed(a, context, &exit);
}

void note_call(Analyzer *a, uint32_t caller, NodeId node, uint32_t callee) {
  uint32_t key[] = {caller, node, callee};
  uint64_t *known = strmap_at(&a->calls, (const char *)key, sizeof key);
  if (*known) return;
  *known = 1;
  vec_push(&vec_at(&a->contexts, callee)->callers, (Caller){caller, node});
  uint32_t pair[] = {caller, callee};
  known = strmap_at(&a->calls, (const char *)pair, sizeof pair);
  if (*known) return;
  *known = 1;
  vec_push(&vec_at(&a->contexts, caller)->callees, callee);
}

/* ---- names into the callee ---- */

bool name_survives(Analyzer *a, uint32_t base) {
  if (!flow_is_symbol(base)) return true;
  uint32_t kind = vec_at(&a->symbols, flow_base_id(base))->kind;
  return kind == SYMBOL_ARGUMENT || kind == SYMBOL_CELL || kind == SYMBOL_THREAD;
}

FlowValue into_callee(Analyzer *a, Translation *t, FlowValue v, int param) {
  if (!v.known || v.index) return value_unknown();
  if (name_survives(a, v.base)) return v;
  uint32_t symbol = flow_base_id(v.base);
  for (uint32_t i = 0; i < t->names.len; i++)
    if (t->names.data[i].symbol == symbol) {
      FlowValue same = v;
      same.base = t->names.data[i].as;
      same.offset -= t->names.data[i].shift;
      return same;
    }
  if (param < 0) return value_unknown();
  FlowValue own = value_symbol(a, (Symbol){.kind = SYMBOL_PARAM, .a = (uint32_t)param});
  own.nonzero = v.nonzero && !v.offset;
  vec_push(&t->names, (Naming){symbol, own.base, v.offset});
  return own;
}

static void bind_arguments(Analyzer *a, Translation *t, const Edge *edge, const Work *w,
                           FuncId callee, Work *entry) {
  const Function *f = vec_at(&a->p->functions, callee);
  for (uint32_t i = 0; i < f->param_count && i < edge->arg_count; i++) {
    const Arg *arg = vec_at(&a->p->args, edge->first_arg + i);
    FlowValue v = into_callee(a, t, value_of_expr(a, w, arg->value), (int)i);
    if (v.known) work_bind(entry, f->first_local + i, v);
  }
}

void carry_locks(Analyzer *a, Translation *t, const Work *w, Work *entry) {
  for (uint32_t i = 0; i < w->locks.len; i++) {
    FlowLock lock = w->locks.data[i];
    FlowValue name = into_callee(a, t, lock.name, -1);
    if (!name.known) {
      if (t->opaque.len == MAX_OPAQUE) {
        a->lost_locks = true;
        continue;
      }
      name = value_symbol(a, (Symbol){.kind = SYMBOL_OPAQUE, .a = t->opaque.len});
      vec_push(&t->opaque, lock.name);
    }
    lock.name = name;
    lock.name.nonzero = 0;
    work_add_lock(entry, lock);
  }
}

void carry_fresh(Translation *t, const Work *w, Work *entry) {
  for (uint32_t i = 0; i < w->fresh.len; i++)
    for (uint32_t k = 0; k < t->names.len; k++)
      if (t->names.data[k].symbol == w->fresh.data[i] && t->names.data[k].shift == 0)
        work_set_fresh(entry, flow_base_id(t->names.data[k].as));
}

/* ---- and back ---- */

static FlowValue out_of_callee(Analyzer *a, const Translation *t, FlowValue v) {
  if (!v.known || v.index) return value_unknown();
  if (name_survives(a, v.base)) return v;
  const Symbol *s = vec_at(&a->symbols, flow_base_id(v.base));
  if (s->kind == SYMBOL_OPAQUE && s->a < t->opaque.len)
    return v.offset ? value_unknown() : t->opaque.data[s->a];
  for (uint32_t i = 0; i < t->names.len; i++)
    if (t->names.data[i].as == v.base) {
      FlowValue back = v;
      back.base = FLOW_SYMBOL(t->names.data[i].symbol);
      back.offset += t->names.data[i].shift;
      back.nonzero = 0;
      return back;
    }
  return value_unknown();
}

static bool holds(const Work *w, const FlowValue *name) {
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (value_equal(&w->locks.data[i].name, name)) return true;
  return false;
}

/* Locks of the caller that the callee's context does not know of, but cannot release. */
static void keep_locks(Analyzer *a, EdgeId e, const Work *before, const Translation *t,
                       Work *w) {
  for (uint32_t i = 0; i < before->locks.len; i++) {
    const FlowLock *lock = &before->locks.data[i];
    if (!holds(w, &lock->name) && !value_mentions(a, &lock->name, SYMBOL_EDGE, e) &&
        call_keeps_lock(a, t->callees, t->callee_count, lock))
      work_add_lock(w, *lock);
  }
}

/* The function is not the one that is called: the library calls it meanwhile. */
static bool is_callback(const Analyzer *a, const Edge *edge, FuncId function) {
  const Expr *callee = program_expr(a->p, edge->a);
  if (edge->op != OP_CALL) return false;
  if (callee->kind == EXPR_FUNC) return callee->data != function;
  Targets t = pointsto_expr(a->pt, edge->a);
  for (uint32_t i = 0; i < t.count; i++)
    if (t.targets[i].function == function) return false;
  return !t.unknown;
}

static bool same_locks(const Work *x, const Work *y) {
  bool same = x->locks.len == y->locks.len;
  for (uint32_t i = 0; i < x->locks.len && same; i++)
    same = holds(y, &x->locks.data[i].name);
  return same;
}

void come_back(Analyzer *a, uint32_t context, EdgeId e, const Work *before,
               const Translation *t, const Exit *exit, uint32_t once) {
  const Edge *edge = program_edge(a->p, e);
  const State *s = vec_at(&a->states, exit->state);
  Work w = {0};
  work_copy(&w, before);
  vec_clear(&w.locks);
  /* a callee that creates threads may have stored their ids anywhere */
  w.alive = call_alive(a, t->callees, t->callee_count, before->alive, s->alive);
  if (w.alive != before->alive) work_forget_ids(&w);
  w.once_done = s->once_done;
  w.once_inside = before->once_inside;
  w.section = before->section;
  FlowValue result = out_of_callee(a, t, exit->result);
  FlowValue own = value_symbol(a, (Symbol){.kind = SYMBOL_EDGE, .a = e});
  work_purge(a, &w, SYMBOL_EDGE, e);
  for (uint32_t i = 0; i < s->lock_count; i++) {
    FlowLock lock = s->locks[i];
    FlowValue name = out_of_callee(a, t, lock.name);
    if (name.known && value_mentions(a, &name, SYMBOL_EDGE, e))
      name = value_unknown(); /* called after this call's last result, which is gone */
    /* a symbol of the callee is the result: the lock is called after it */
    if (!name.known && !result.known && exit->result.known && !exit->result.index &&
        !lock.name.index && lock.name.base == exit->result.base) {
      name = own;
      name.offset = lock.name.offset - exit->result.offset;
    }
    if (!name.known) {
      a->lost_locks = true;
      continue;
    }
    lock.name = name;
    lock.name.nonzero = 0;
    work_add_lock(&w, lock);
  }
  keep_locks(a, e, before, t, &w);
  if (t->callee_count && is_callback(a, edge, t->callees[0]) &&
      (w.alive != before->alive || !same_locks(before, &w)))
    a->flow->changed_by_callback = e;
  /* what the callee published is known to others now */
  for (uint32_t i = 0; i < t->names.len; i++) {
    bool still = false;
    for (uint32_t k = 0; k < s->fresh_count; k++)
      still = still || FLOW_SYMBOL(s->fresh[k]) == t->names.data[i].as;
    if (!still) work_not_fresh(&w, t->names.data[i].symbol);
  }
  if (edge->op == OP_ONCE) {
    once_finished(a, e, &w, once);
  } else if (edge->dst) {
    if (result.known && value_mentions(a, &result, SYMBOL_EDGE, e))
      result = value_unknown();
    bool fresh = exit->result.known && flow_is_symbol(exit->result.base) &&
                 !exit->result.offset && !exit->result.index && !result.known;
    bool was_fresh = false;
    for (uint32_t k = 0; fresh && k < s->fresh_count; k++)
      was_fresh = was_fresh || FLOW_SYMBOL(s->fresh[k]) == exit->result.base;
    work_bind(&w, edge->dst, result.known ? result : own);
    if (was_fresh) work_set_fresh(&w, flow_base_id(own.base));
  }
  node_merge(a, context, edge->to, &w);
  work_free(&w);
}

static void enter_as(Analyzer *a, uint32_t context, EdgeId e, const Work *before,
                     FuncId callee, bool direct, uint32_t once, uint32_t *ret_alive) {
  const Edge *edge = program_edge(a->p, e);
  Translation t = {.callees = &callee, .callee_count = 1};
  Work entry = {.alive = before->alive,
                .in_thread = before->in_thread,
                .once_done = before->once_done,
                .once_inside = once ? set_add(a->sets, before->once_inside, once)
                                    : before->once_inside,
                .section = before->section};
  if (direct) bind_arguments(a, &t, edge, before, callee, &entry);
  carry_locks(a, &t, before, &entry);
  carry_fresh(&t, before, &entry);
  for (uint32_t i = 0; i < before->bindings.len; i++)
    if (before->bindings.data[i].local & (FACT | ID_FACT))
      work_bind(&entry, before->bindings.data[i].local, before->bindings.data[i].value);
  uint32_t target = context_enter(a, callee, &entry);
  note_call(a, context, edge->from, target);
  /* indices: contexts may move, exits may grow */
  for (uint32_t i = 0; i < vec_at(&a->contexts, target)->exits.len; i++) {
    Exit exit = vec_at(&a->contexts, target)->exits.data[i];
    come_back(a, context, e, before, &t, &exit, once);
    if (ret_alive)
      *ret_alive = set_union(a->sets, *ret_alive, vec_at(&a->states, exit.state)->alive);
  }
  work_free(&entry);
  vec_free(&t.names);
  vec_free(&t.opaque);
}

static void enter_defined(Analyzer *a, uint32_t context, EdgeId e, const Work *before,
                          FuncId callee, bool direct) {
  enter_as(a, context, e, before, callee, direct, 0, NULL);
}

/* Either this thread runs the initialiser, or it has been run: then what it started may be
 * alive too, whoever it was. */
void once_transfer(Analyzer *a, uint32_t context, EdgeId e, const Work *before) {
  const FuncId *functions;
  uint32_t n = pointsto_callees(a->pt, e, &functions);
  FlowValue flag = value_of_expr(a, before, program_edge(a->p, e)->a);
  uint32_t once = once_id(a, &flag), started = 0;
  for (uint32_t i = 0; i < n; i++)
    if (a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED)
      enter_as(a, context, e, before, functions[i], false, once, &started);
  Work done = {0};
  work_copy(&done, before);
  if (started != before->alive) work_forget_ids(&done);
  done.alive = set_union(a->sets, done.alive, started);
  once_finished(a, e, &done, once);
  node_merge(a, context, program_edge(a->p, e)->to, &done);
  work_free(&done);
}

/* ---- functions without a body ---- */

static void publish_arguments(Analyzer *a, const Edge *edge, Work *w) {
  for (uint32_t i = 0; i < edge->arg_count; i++) {
    ExprId value = vec_at(&a->p->args, edge->first_arg + i)->value;
    FlowValue v = value_of_expr(a, w, value);
    if (v.known)
      work_publish(w, &v);
    else if (program_expr(a->p, value)->bits >= 64)
      work_publish(w, &v);
  }
}

/* What the library calls later runs with no lock, beside everything and in any thread: a
 * handler in whichever lets the signal in, the destructor of a key at the end of each, an exit
 * handler in the one that exits. */
static void call_later(Analyzer *a, EdgeId e) {
  const FuncId *functions;
  uint32_t n = pointsto_callees(a->pt, e, &functions);
  for (uint32_t i = 0; i < n; i++)
    if (a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED) {
      Work entry = {.alive = SET_ALL, .in_thread = 1};
      uint32_t target = context_enter(a, functions[i], &entry);
      thread_apart(a, e, functions[i], target);
      work_free(&entry);
    }
}

static bool is_outside(const Analyzer *a, FuncId function) {
  uint32_t flags = a->p->functions.data[function].flags;
  return (flags & FUNCTION_UNKNOWN) && !(flags & (FUNCTION_PURE | FUNCTION_QUIET));
}

bool calls_outside(const Analyzer *a, EdgeId e) {
  const FuncId *functions;
  uint32_t n = pointsto_callees(a->pt, e, &functions);
  for (uint32_t i = 0; i < n; i++)
    if (is_outside(a, functions[i])) return true;
  return !n || pointsto_calls_unknown(a->pt, e);
}

/* Code of which nothing is known calls what it knows: during the call, and at any later time
 * from any thread. The latter is the same for all such calls, so one stands for all. */
static void call_outside(Analyzer *a, uint32_t context, EdgeId e, const Work *before) {
  const FuncId *functions;
  uint32_t n = pointsto_known_outside(a->pt, &functions);
  bool dispatched = dispatch_transfer(a, context, e, before, functions, n, false);
  for (uint32_t i = 0; i < n; i++) {
    if (!(a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED)) continue;
    if (!dispatched) enter_defined(a, context, e, before, functions[i], false);
    if (a->outside_entered) continue;
    Work entry = {.alive = SET_ALL, .in_thread = 1};
    uint32_t target = context_enter(a, functions[i], &entry);
    thread_apart(a, a->flow->calls_back, 0, target);
    work_free(&entry);
  }
  a->outside_entered = true;
}

static bool is_null_argument(const Analyzer *a, const Edge *edge, uint32_t arg) {
  const Expr *x =
      arg < edge->arg_count
          ? program_expr(a->p, vec_at(&a->p->args, edge->first_arg + arg)->value)
          : NULL;
  return x && x->kind == EXPR_CONST && !x->value;
}

/* The result is a new object, and nothing else that existed before. */
static bool only_allocates(const Analyzer *a, const Edge *edge, const Function *f) {
  bool allocates = false;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&a->p->effects, f->first_effect + i);
    if (x->kind == EFFECT_RETURN_HIDDEN || x->kind == EFFECT_RETURN_KEPT ||
        (x->kind == EFFECT_RETURN_ARG && !is_null_argument(a, edge, x->arg)))
      return false;
    allocates = allocates || (x->kind == EFFECT_ALLOC && x->arg == ARG_NONE);
  }
  return allocates;
}

/* There is more than one thing that the function may return. */
static bool returns_several(const Analyzer *a, const Function *f) {
  uint32_t ways = 0;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    uint8_t kind = vec_at(&a->p->effects, f->first_effect + i)->kind;
    ways += kind == EFFECT_RETURN_ARG || kind == EFFECT_RETURN_HIDDEN ||
            kind == EFFECT_RETURN_KEPT || kind == EFFECT_ALLOC;
  }
  return ways > 1;
}

static void library_call(Analyzer *a, uint32_t context, EdgeId e, const Work *before,
                         FuncId callee) {
  const Edge *edge = program_edge(a->p, e);
  const Function *f = vec_at(&a->p->functions, callee);
  Work w = {0};
  work_copy(&w, before);
  FlowValue result = value_unknown();
  bool allocates = false, calls_now = false;
  if (!(f->flags & FUNCTION_RULE) && !(f->flags & FUNCTION_PURE))
    publish_arguments(a, edge, &w);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&a->p->effects, f->first_effect + i);
    if (x->kind == EFFECT_ALLOC && x->arg == ARG_NONE) allocates = true;
    uint8_t vague = EFFECT_INSIDE | EFFECT_CONTENT | EFFECT_MAY_NULL;
    if (x->kind == EFFECT_RETURN_ARG && !(x->flags & vague) && x->arg < edge->arg_count &&
        !returns_several(a, f))
      result = value_of_expr(a, &w, vec_at(&a->p->args, edge->first_arg + x->arg)->value);
    /* the result, of which nothing is known, may lead into a fresh object */
    bool inside = x->kind == EFFECT_RETURN_ARG && edge->dst && !result.known;
    if (x->kind == EFFECT_STORE || x->kind == EFFECT_KEEP || inside)
      publish_arguments(a, edge, &w);
    if (x->kind == EFFECT_CALL_LATER) call_later(a, e);
    if (x->kind == EFFECT_CALL) calls_now = true;
  }
  if (is_outside(a, callee)) call_outside(a, context, e, &w);
  if (calls_now) {
    publish_arguments(a, edge, &w);
    const FuncId *functions;
    uint32_t n = pointsto_callees(a->pt, e, &functions);
    for (uint32_t i = 0; i < n; i++)
      if (a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED)
        enter_defined(a, context, e, &w, functions[i], false);
  }
  work_purge(a, &w, SYMBOL_EDGE, e);
  if (edge->dst) {
    FlowValue own = value_symbol(a, (Symbol){.kind = SYMBOL_EDGE, .a = e});
    bool good = result.known && !allocates && !value_mentions(a, &result, SYMBOL_EDGE, e);
    work_bind(&w, edge->dst, good ? result : own);
    if (!good && only_allocates(a, edge, f)) work_set_fresh(&w, flow_base_id(own.base));
  }
  if (edge->to && !(f->flags & FUNCTION_NORETURN)) node_merge(a, context, edge->to, &w);
  work_free(&w);
}

void call_transfer(Analyzer *a, uint32_t context, EdgeId e, const Work *before) {
  const Edge *edge = program_edge(a->p, e);
  const Expr *callee = program_expr(a->p, edge->a);
  if (callee->kind == EXPR_FUNC) {
    FuncId f = (FuncId)callee->data;
    if (a->p->functions.data[f].flags & FUNCTION_DEFINED)
      enter_defined(a, context, e, before, f, !(edge->flags & EDGE_MISMATCH));
    else
      library_call(a, context, e, before, f);
    return;
  }
  const FuncId *functions;
  uint32_t n = pointsto_callees(a->pt, e, &functions);
  bool dispatched = dispatch_transfer(a, context, e, before, functions, n, true);
  for (uint32_t i = 0; i < n; i++)
    if (!(a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED))
      library_call(a, context, e, before, functions[i]);
    else if (!dispatched)
      enter_defined(a, context, e, before, functions[i], true);
  if (!n || pointsto_calls_unknown(a->pt, e)) {
    Work w = {0};
    work_copy(&w, before);
    publish_arguments(a, edge, &w);
    call_outside(a, context, e, &w);
    work_purge(a, &w, SYMBOL_EDGE, e);
    if (edge->dst)
      work_bind(&w, edge->dst, value_symbol(a, (Symbol){.kind = SYMBOL_EDGE, .a = e}));
    node_merge(a, context, edge->to, &w);
    work_free(&w);
  }
}
