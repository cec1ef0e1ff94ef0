/* The fixpoint: contexts and nodes until nothing is new, rounds until threads are settled.
 * See flow.h. */
#include "analysis/flow_internal.h"

#include <assert.h>

enum { MAX_ROUNDS = 12 };

/* ---- one round ---- */

static bool same_states(const NodeStates *x, const NodeStates *y) {
  return x->count == y->count && x->collapsed == y->collapsed &&
         !memcmp(x->states, y->states, x->count * sizeof *x->states);
}

/* All states of a node through one edge. A successor with only this way in is renewed. */
static void follow_edge(Analyzer *a, uint32_t context, NodeId node, EdgeId e) {
  NodeId to = program_edge(a->p, e)->to;
  bool renews = to && map_find(&a->in_degree, to, 0) == 1;
  a->renewed_node = renews ? to : 0;
  a->renewed = (NodeStates){0};
  const Function *f = vec_at(&a->p->functions, vec_at(&a->contexts, context)->function);
  NodeStates states = vec_at(&a->contexts, context)->nodes[node - f->first_node];
  Work w = {0};
  for (uint8_t i = 0; i < states.count; i++) {
    work_load(a, &w, states.states[i]);
    edge_transfer(a, context, e, &w);
  }
  work_free(&w);
  a->renewed_node = 0;
  if (!renews) return;
  NodeStates *now = &vec_at(&a->contexts, context)->nodes[to - f->first_node];
  if (same_states(now, &a->renewed)) return;
  bool queued = now->queued;
  *now = a->renewed;
  now->queued = queued;
  enqueue(a, context, to);
}

static bool is_stopped(const Analyzer *a) {
  return a->stop && *a->stop;
}

/* The edges of a large switch are many; what is left out when it is stopped counts for nothing. */
static void process(Analyzer *a, uint32_t context, NodeId node) {
  EdgeId end = node_end_edge(a->p, node);
  for (EdgeId e = node_first_edge(a->p, node); e < end && !is_stopped(a); e++)
    follow_edge(a, context, node, e);
}

/* Constructors come one after the other, before main, and may leave threads running. Those of
 * them that run come first in the main thread's entries. */
static void start_main(Analyzer *a) {
  uint32_t early = 0;
  for (uint32_t i = 1; i < a->p->constructors.len; i++) {
    Work start = {.alive = early};
    uint32_t c = context_enter(a, a->p->constructors.data[i].function, &start);
    vec_push(&vec_at(&a->threads, MAIN_THREAD)->entries, c);
    work_free(&start);
    if (i - 1 < a->early_used.len)
      early = set_union(a->sets, early, a->early_used.data[i - 1]);
  }
  Work start = {.alive = early};
  uint32_t c = context_enter(a, a->p->main, &start);
  vec_push(&vec_at(&a->threads, MAIN_THREAD)->entries, c);
  work_free(&start);
  for (uint32_t i = 1; i < a->p->destructors.len; i++) {
    Work end = {.alive = SET_ALL};
    c = context_enter(a, a->p->destructors.data[i].function, &end);
    vec_push(&vec_at(&a->threads, MAIN_THREAD)->entries, c);
    work_free(&end);
  }
}

/* True when the constructors left running what was thought. */
static bool early_settle(Analyzer *a) {
  bool same = a->early_used.len == a->p->constructors.len - 1;
  while (a->early_used.len < a->p->constructors.len - 1) vec_push(&a->early_used, 0u);
  assert(vec_at(&a->threads, MAIN_THREAD)->entries.len > a->early_used.len);
  for (uint32_t i = 0; i < a->early_used.len; i++) {
    const Context *c =
        vec_at(&a->contexts, vec_at(&a->threads, MAIN_THREAD)->entries.data[i]);
    uint32_t alive = 0;
    for (uint32_t k = 0; k < c->exits.len; k++)
      alive =
          set_union(a->sets, alive, vec_at(&a->states, c->exits.data[k].state)->alive);
    same = same && a->early_used.data[i] == alive;
    a->early_used.data[i] = alive;
  }
  return same;
}

static void forget_round(Analyzer *a) {
  for (uint32_t i = 0; i < a->contexts.len; i++) {
    vec_free(&a->contexts.data[i].exits);
    vec_free(&a->contexts.data[i].callers);
    vec_free(&a->contexts.data[i].callees);
    vec_free(&a->contexts.data[i].creates);
  }
  vec_clear(&a->contexts);
  strmap_free(&a->context_ids);
  strmap_free(&a->calls);
  map_clear(&a->context_count);
  map_clear(&a->general);
  map_clear(&a->overlaps);
  vec_clear(&a->queue);
  a->any_exit_alive = a->cancels ? SET_ALL : 0;
  a->lost_locks = false;
  a->outside_entered = false;
  a->handover_found = false;
  vec_clear(&a->moved);
  map_clear(&a->written_found);
  map_clear(&a->foreign_found);
  a->all_written_found = false;
  for (uint32_t i = 0; i < a->threads.len; i++) {
    Thread *t = &a->threads.data[i];
    vec_clear(&t->entries);
    t->found = (ThreadFacts){0};
    t->asked = 0;
    t->id_seen = t->argument_seen = t->own_argument = false;
  }
}

static void create_visitor(Analyzer *a, uint32_t context, EdgeId e, const Work *w,
                           void *data) {
  (void)context, (void)data;
  if (program_edge(a->p, e)->op == OP_CREATE) create_record(a, e, w);
}

/* False when it was stopped or became too large. */
static bool run_round(Analyzer *a) {
  forget_round(a);
  start_main(a);
  uint32_t context;
  NodeId node;
  while (dequeue(a, &context, &node)) {
    process(a, context, node);
    if (is_stopped(a)) {
      a->flow->incomplete = "time ran out";
      return false;
    }
    if (a->states.len > MAX_STATES) {
      a->flow->incomplete = "the program has too many different states";
      return false;
    }
  }
  for (uint32_t i = 0; i < a->contexts.len; i++) visit_states(a, i, create_visitor, NULL);
  return true;
}

/* ---- the whole ---- */

static void publish_threads(Analyzer *a) {
  for (uint32_t i = 0; i < a->threads.len; i++) {
    const Thread *t = &a->threads.data[i];
    FlowThread pub = {.entry = t->entry,
                      .site = t->site,
                      .many = t->used.many,
                      .own_argument = t->argument_seen && t->own_argument,
                      .argument_stride = t->argument_stride,
                      .argument = t->argument};
    vec_push(&a->flow->threads, pub);
  }
}

/* The first call of code that knows functions of the program. */
static void find_calls_back(Analyzer *a) {
  const FuncId *functions;
  uint32_t n = pointsto_known_outside(a->pt, &functions);
  bool known = false;
  for (uint32_t i = 0; i < n; i++)
    known = known || (a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED);
  for (FuncId f = 1; known && f < a->p->functions.len && !a->flow->calls_back; f++) {
    const Function *function = &a->p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(a->pt, f))
      continue;
    for (uint32_t i = 0; i < function->edge_count && !a->flow->calls_back; i++) {
      EdgeId e = function->first_edge + i;
      if (program_edge(a->p, e)->op == OP_CALL && calls_outside(a, e))
        a->flow->calls_back = e;
    }
  }
}

Flow *flow_new(const Program *program, const PointsTo *pointsto,
               const volatile int *stop) {
  Flow *flow = mem_alloc_zero(sizeof *flow);
  Analyzer *a = mem_alloc_zero(sizeof *a);
  *a = (Analyzer){.flow = flow,
                  .p = program,
                  .pt = pointsto,
                  .stop = stop,
                  .arena = arena_new(),
                  .liveness = liveness_new(program),
                  .sets = sets_new()};
  flow->program = program;
  flow->pointsto = pointsto;
  flow->sharing = sharing_new(program, pointsto);
  assert(program->locals.len <= ID_FACT);
  flow->internals = a;
  (void)vec_extend(&a->symbols, 1);
  (void)vec_extend(&a->states, 1);
  if (!program->main) {
    flow->incomplete = "the program has no main";
    return flow;
  }
  a->max_contexts = CONTEXT_EDGES / (program->edges.len + 1);
  if (a->max_contexts > MAX_CONTEXTS) a->max_contexts = MAX_CONTEXTS;
  if (a->max_contexts < MIN_CONTEXTS) a->max_contexts = MIN_CONTEXTS;
  a->max_disjuncts = a->max_contexts == MAX_CONTEXTS ? MAX_DISJUNCTS : 3;
  a->all_written_used = true; /* in the first round nothing is known to be fixed */
  Thread main = {.entry = program->main};
  vec_push(&a->threads, main);
  threads_prepare(a);
  find_calls_back(a);
  bool settled = false;
  for (int round = 0; round < MAX_ROUNDS && !settled; round++) {
    if (!run_round(a)) return flow;
    record_all(a, true);
    bool early = early_settle(a);
    settled = threads_settle(a) && early && !a->handover_found;
  }
  if (!settled) {
    flow->incomplete = "the threads of the program could not be told apart";
    return flow;
  }
  record_all(a, false);
  words_find_loose(a);
  if (a->stop && *a->stop) {
    flow->incomplete = "time ran out";
    return flow;
  }
  publish_threads(a);
  assert(flow->threads.len == a->threads.len);
  flow->complete = true;
  return flow;
}

void flow_free(Flow *flow) {
  if (!flow) return;
  Analyzer *a = flow->internals;
  if (a) {
    forget_round(a);
    vec_free(&a->contexts);
    map_free(&a->context_count);
    map_free(&a->general);
    map_free(&a->overlaps);
    vec_free(&a->queue);
    for (uint32_t i = 0; i < a->threads.len; i++) {
      vec_free(&a->threads.data[i].entries);
      map_free(&a->threads.data[i].functions);
      vec_free(&a->threads.data[i].given);
    }
    vec_free(&a->early_used);
    map_free(&a->library_objects);
    vec_free(&a->moved);
    vec_free(&a->not_given);
    map_free(&a->argument_objects);
    map_free(&a->foreign_used);
    map_free(&a->foreign_found);
    map_free(&a->written_used);
    map_free(&a->written_found);
    map_free(&a->attribute_kinds);
    map_free(&a->lock_kinds);
    vec_free(&a->threads);
    map_free(&a->thread_ids);
    map_free(&a->create_loops);
    map_free(&a->join_loops);
    vec_free(&a->loops);
    map_free(&a->stored_cells);
    map_free(&a->in_degree);
    map_free(&a->once_ids);
    vec_free(&a->symbols);
    strmap_free(&a->symbol_ids);
    strmap_free(&a->callee_lists);
    map_free(&a->callee_list);
    map_free(&a->releaser_ids);
    vec_free(&a->releasers);
    map_free(&a->creator_ids);
    vec_free(&a->creators);
    vec_free(&a->words);
    map_free(&a->words_of);
    vec_free(&a->states);
    strmap_free(&a->state_ids);
    sets_free(a->sets);
    liveness_free(a->liveness);
    arena_free(a->arena);
    mem_free(a);
  }
  sharing_free(flow->sharing);
  vec_free(&flow->threads);
  vec_free(&flow->accesses);
  vec_free(&flow->things);
  vec_free(&flow->acquires);
  vec_free(&flow->locks);
  vec_free(&flow->loose_locks);
  vec_free(&flow->loose_words);
  mem_free(flow);
}

/* ---- questions ---- */

bool flow_stopped(const Flow *flow) {
  const Analyzer *a = flow->internals;
  return a->stop && *a->stop;
}

/* Where both offsets are known exactly the bytes are compared as they are; otherwise as points-to folds
 * them. */
bool flow_bytes_meet(const FlowAccess *a, const FlowAccess *b) {
  if (a->object != b->object) return false;
  bool exact = a->exact && b->exact && a->size && b->size;
  if (!exact || ((a->kind | b->kind) & FLOW_FREE))
    return a->from < b->to && b->from < a->to;
  int64_t x = a->address.offset, y = b->address.offset;
  return x < y + (int64_t)b->size && y < x + (int64_t)a->size;
}

bool flow_set_has(const Flow *flow, uint32_t set, uint32_t element) {
  return set_has(((Analyzer *)flow->internals)->sets, set, element);
}

bool flow_sets_meet(const Flow *flow, uint32_t x, uint32_t y) {
  return set_meet(((Analyzer *)flow->internals)->sets, x, y) != 0;
}

bool flow_is_descendant(const Flow *flow, uint32_t child, uint32_t ancestor) {
  const Analyzer *a = flow->internals;
  assert(ancestor < a->threads.len);
  return set_has(a->sets, a->threads.data[ancestor].used.descendants, child);
}

bool flow_thread_runs(const Flow *flow, uint32_t thread, FuncId function) {
  const Analyzer *a = flow->internals;
  return map_get(&a->threads.data[thread].functions, function) != NULL;
}

bool flow_is_thread_argument(const Flow *flow, ObjectId object) {
  const Analyzer *a = flow->internals;
  return map_get(&a->argument_objects, object) != NULL;
}

/* Directly noted at a create, or because an ancestor of one overlaps the other. */
bool flow_threads_overlap(const Flow *flow, uint32_t x, uint32_t y) {
  const Analyzer *a = flow->internals;
  if (x == y) return flow->threads.data[x].many;
  if (map_find(&a->overlaps, (uint64_t)x << 32 | y, 0)) return true;
  for (uint32_t i = 0; i < a->threads.len; i++) {
    bool above_x = i != x && i != y && flow_is_descendant(flow, x, i);
    bool above_y = i != x && i != y && flow_is_descendant(flow, y, i);
    if (above_x && !above_y && map_find(&a->overlaps, (uint64_t)i << 32 | y, 0))
      return true;
    if (above_y && !above_x && map_find(&a->overlaps, (uint64_t)i << 32 | x, 0))
      return true;
  }
  return false;
}

bool flow_stands_apart(const Flow *flow, uint32_t thread) {
  assert(thread < flow->threads.len);
  EdgeId site = flow->threads.data[thread].site;
  return site && program_edge(flow->program, site)->op != OP_CREATE;
}

/* A word that is known by a symbol may be any of them. */
static bool word_is_loose(const Flow *flow, const FlowLock *lock) {
  for (uint32_t i = 0; i < flow->loose_words.len && lock->unique; i++) {
    const FlowWord *x = &flow->loose_words.data[i];
    if (x->object == flow_base_id(lock->name.base) &&
        (x->offset == OFFSET_ANY ||
         x->offset == pointsto_fold_offset(flow->pointsto, x->object,
                                           (uint64_t)lock->name.offset)))
      return true;
  }
  return flow->all_words_loose || (!lock->unique && flow->loose_words.len);
}

bool flow_lock_is_loose(const Flow *flow, const FlowLock *lock) {
  if (lock->kind == LOCK_WORD) return word_is_loose(flow, lock);
  for (uint32_t i = 0; i < flow->loose_locks.len; i++)
    if (lock->name.known && value_equal(&flow->loose_locks.data[i], &lock->name))
      return true;
  return false;
}

/* What the library calls later, it calls in a thread of its own. */
static bool runs_beside(const Flow *flow, uint32_t thread) {
  const Edge *site = program_edge(flow->program, flow->threads.data[thread].site);
  const Expr *callee = site->op == OP_CALL ? program_expr(flow->program, site->a) : NULL;
  return callee && (callee->kind != EXPR_FUNC ||
                    effect_makes_thread(flow->program, (FuncId)callee->data));
}

/* Without any thread but the main one a handler interrupts, but nothing runs beside it. */
static bool has_threads(const Flow *flow) {
  for (uint32_t i = 1; i < flow->threads.len; i++)
    if (!flow_stands_apart(flow, i) || runs_beside(flow, i)) return true;
  return false;
}

bool flow_may_be_parallel(const Flow *flow, uint32_t x, uint32_t alive_x, uint32_t y,
                          uint32_t alive_y) {
  assert(x < flow->threads.len && y < flow->threads.len);
  if (flow_stands_apart(flow, x) || flow_stands_apart(flow, y)) return has_threads(flow);
  if (x == y) return flow->threads.data[x].many;
  bool x_above = flow_is_descendant(flow, y, x), y_above = flow_is_descendant(flow, x, y);
  if (x_above && y_above) return true;
  if (x_above) return flow->threads.data[x].many || flow_set_has(flow, alive_x, y);
  if (y_above) return flow->threads.data[y].many || flow_set_has(flow, alive_y, x);
  return flow_threads_overlap(flow, x, y);
}
