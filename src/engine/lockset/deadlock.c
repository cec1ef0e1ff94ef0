/* Deadlocks over locks and joins: the graph of "holds h and waits for l".
 *
 * Nodes are locks; an edge h → l says that some thread takes l while it surely holds h. A
 * deadlock over locks is a cycle whose edges belong to different thread instances that can run
 * at the same time and hold no common gate lock; one that needs only shared holds is none. A
 * join is a wait for all that the joined thread still takes.
 *
 * A proof needs more than an acyclic graph: every lock must have a name of its own, threads must
 * end without locks, and the sets of held locks must be exact, not only a lower bound. Those are
 * caveats (verdict/caveat.h). And whoever waits elsewhere for ever may hold what is waited for
 * here: all other waits are conditions of the claim. */
#include "engine/lockset/lockset.h"

#include "base/map.h"

typedef struct {
  const FlowLock *held;
  const FlowAcquire *acquire;
  uint32_t from, to; /* numbers of the two locks */
} OrderEdge;

typedef struct {
  EdgeId edge; /* the wait that is told first */
  Suspicion suspicion;
} Circle;

typedef struct {
  EngineContext *context;
  const Flow *flow;
  Map lock_ids; /* base << 32 | offset to number + 1 */
  VEC(OrderEdge) edges;
  VEC(Circle) circles;
  bool cut; /* not all circles were looked at */
} Graph;

static uint32_t lock_id(Graph *g, const FlowLock *lock) {
  uint64_t *slot =
      map_at(&g->lock_ids, (uint64_t)lock->name.base << 32 | (uint32_t)lock->name.offset);
  if (!*slot) *slot = g->lock_ids.len;
  return (uint32_t)*slot - 1;
}

/* Locks without a name of their own are a caveat of the whole. */
static void collect(Graph *g) {
  const Flow *flow = g->flow;
  for (uint32_t i = 0; i < flow->acquires.len; i++) {
    const FlowAcquire *x = &flow->acquires.data[i];
    if (!x->lock.unique || x->attempt != ATTEMPT_BLOCK) continue; /* it does not wait */
    for (uint32_t k = 0; k < x->lock_count; k++) {
      const FlowLock *held = &flow->locks.data[x->first_lock + k];
      if (!held->unique) continue;
      OrderEdge edge = {held, x, lock_id(g, held), lock_id(g, &x->lock)};
      vec_push(&g->edges, edge);
    }
  }
}

enum { MAX_CYCLE = 5 };

/* ---- cycles ---- */

/* A lock, other than those waited for, that keeps the two apart. */
static bool share_gate(Graph *g, const OrderEdge *a, const OrderEdge *b) {
  const Flow *flow = g->flow;
  for (uint32_t i = 0; i < a->acquire->lock_count; i++)
    for (uint32_t k = 0; k < b->acquire->lock_count; k++) {
      const FlowLock *x = &flow->locks.data[a->acquire->first_lock + i];
      const FlowLock *y = &flow->locks.data[b->acquire->first_lock + k];
      if (x->kind != LOCK_WORD && x->unique && y->unique &&
          x->name.base == y->name.base && x->name.offset == y->name.offset &&
          !(x->mode == MODE_SHARED && y->mode == MODE_SHARED))
        return true;
    }
  return false;
}

static bool can_block(const OrderEdge *waits, const OrderEdge *holds) {
  return !(waits->acquire->lock.mode == MODE_SHARED && holds->held->mode == MODE_SHARED);
}

static bool apart(Graph *g, const OrderEdge *a, const OrderEdge *b) {
  return !flow_may_be_parallel(g->flow, a->acquire->thread, a->acquire->alive,
                               b->acquire->thread, b->acquire->alive) ||
         share_gate(g, a, b);
}

static void add_circle(Graph *g, const FlowAcquire *const *waits, uint32_t n) {
  uint32_t *records = arena_alloc(g->context->arena, n * sizeof *records);
  for (uint32_t i = 0; i < n; i++)
    records[i] = (uint32_t)(waits[i] - g->flow->acquires.data);
  Circle circle = {waits[0]->edge, {.records = records, .count = n}};
  vec_push(&g->circles, circle);
}

static void add_cycle(Graph *g, const OrderEdge *const *cycle, uint32_t n) {
  const FlowAcquire *waits[MAX_CYCLE];
  for (uint32_t i = 0; i < n; i++) waits[i] = cycle[i]->acquire;
  add_circle(g, waits, n);
}

/* Extends a chain of edges; a closed one is a cycle. Each lock starts only the cycles in which
 * it is the smallest, so each is found once. */
static void search(Graph *g, const OrderEdge **chain, uint32_t n, Map *told) {
  const OrderEdge *last = chain[n - 1];
  if (last->to == chain[0]->from) {
    if (!can_block(last, chain[0])) return;
    uint64_t key = 0;
    for (uint32_t i = 0; i < n; i++)
      key = key * 1000003 + chain[i]->from * 31 + chain[i]->acquire->edge;
    if (!map_get(told, key)) {
      map_put(told, key, 1);
      add_cycle(g, chain, n);
    }
    return;
  }
  if (n == MAX_CYCLE || flow_stopped(g->flow)) {
    g->cut = true;
    return;
  }
  for (uint32_t i = 0; i < g->edges.len; i++) {
    const OrderEdge *next = &g->edges.data[i];
    bool fits =
        next->from == last->to && next->from > chain[0]->from && can_block(last, next);
    for (uint32_t k = 0; k < n && fits; k++)
      fits = !apart(g, chain[k], next) && chain[k]->from != next->from;
    if (fits) {
      chain[n] = next;
      search(g, chain, n + 1, told);
    }
  }
}

static void find_cycles(Graph *g) {
  Map told = {0};
  for (uint32_t i = 0; i < g->edges.len; i++) {
    const OrderEdge *chain[MAX_CYCLE + 1] = {&g->edges.data[i]};
    if (chain[0]->from != chain[0]->to) search(g, chain, 1, &told);
  }
  map_free(&told);
}

/* Taking again what one surely has. */
static void find_relocks(Graph *g) {
  for (uint32_t i = 0; i < g->flow->acquires.len; i++) {
    const FlowAcquire *x = &g->flow->acquires.data[i];
    if (x->again && x->attempt == ATTEMPT_BLOCK && !x->recursive &&
        x->lock.mode != MODE_SHARED)
      add_circle(g, &x, 1);
  }
}

/* ---- claims ---- */

/* What the wait is, if it is none for a lock or for a thread that ends. */
static const char *other_wait(const Edge *e) {
  switch ((OpKind)e->op) {
  case OP_WAIT: return "waits for a condition";
  case OP_BARRIER_WAIT: return "waits at a barrier";
  case OP_SEM_WAIT: return "waits for a semaphore";
  case OP_ONCE: return "waits for a one-time initialiser";
  case OPS_SEQUENTIAL:
  case OPS_THREAD:
  case OPS_LOCK:
  case OP_COND_INIT:
  case OPS_WAKE:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_INIT:
  case OP_SEM_POST:
  case OP_SEM_VALUE:
  case OP_SEM_DESTROY:
  case OPS_USER:
  case OPS_SECTION: break;
  }
  return NULL;
}

static bool has_circle(const Graph *g, EdgeId edge) {
  for (uint32_t i = 0; i < g->circles.len; i++) {
    const Suspicion *s = &g->circles.data[i].suspicion;
    for (uint32_t k = 0; k < s->count; k++)
      if (g->flow->acquires.data[s->records[k]].edge == edge) return true;
  }
  return false;
}

static bool is_claimed(const Graph *g, const Obligation *o) {
  return !g->cut && !other_wait(program_edge(g->flow->program, o->edge)) &&
         !has_circle(g, o->edge);
}

static void claim_wait(Graph *g, uint32_t index, const uint32_t *conditions,
                       uint32_t condition_count) {
  const Obligation *o = vec_at(&g->context->obligations->list, index);
  VEC(Suspicion) suspicions = {0};
  for (uint32_t i = 0; i < g->circles.len; i++)
    if (g->circles.data[i].edge == o->edge)
      vec_push(&suspicions, g->circles.data[i].suspicion);
  bool safe = is_claimed(g, o);
  Claim claim = {.obligation = index,
                 .verdict = safe ? VERDICT_SAFE : VERDICT_UNKNOWN,
                 .proof = PROOF_ORDERS,
                 .conditions = conditions,
                 .condition_count = safe ? condition_count : 0,
                 .suspicion_count = suspicions.len};
  claim.suspicions = arena_dup(g->context->arena, suspicions.data,
                               suspicions.len * sizeof *suspicions.data);
  engine_claim(g->context, &claim);
  vec_free(&suspicions);
}

static void tell_other_wait(Graph *g, EdgeId edge) {
  const Program *p = g->flow->program;
  const Edge *e = program_edge(p, edge);
  const Loc *loc = &p->locs.data[e->loc];
  if (other_wait(e))
    engine_tell_limit(g->context, PROPERTY_DEADLOCK,
                      arena_printf(g->context->arena, "%s:%u %s", sym_text(p, loc->file),
                                   loc->line, other_wait(e)));
}

static void claim_all(Graph *g) {
  const Obligations *all = g->context->obligations;
  VEC(uint32_t) rest = {0};
  for (uint32_t i = 0; i < all->list.len; i++)
    if (all->list.data[i].kind == OBLIGATION_WAIT && !is_claimed(g, &all->list.data[i]))
      vec_push(&rest, i);
  const uint32_t *conditions =
      arena_dup(g->context->arena, rest.data, rest.len * sizeof *rest.data);
  for (uint32_t i = 0; i < all->list.len; i++)
    if (all->list.data[i].kind == OBLIGATION_WAIT && engine_wants(g->context, i))
      claim_wait(g, i, conditions, rest.len);
  if (rest.len) tell_other_wait(g, all->list.data[rest.data[0]].edge);
  vec_free(&rest);
}

void lockset_check_deadlocks(EngineContext *context, const Flow *flow) {
  Graph g = {.context = context, .flow = flow};
  collect(&g);
  find_cycles(&g);
  find_relocks(&g);
  claim_all(&g);
  map_free(&g.lock_ids);
  vec_free(&g.edges);
  vec_free(&g.circles);
}
