/* Deadlocks over locks and joins: the graph of "holds h and waits for l".
 *
 * Nodes are locks; an edge h → l says that some thread takes l while it surely holds h. A
 * deadlock over locks is a cycle whose edges belong to different thread instances that can run
 * at the same time and hold no common gate lock; one that needs only shared holds is none. A
 * join is a wait for all that the joined thread still takes.
 *
 * A proof needs more than an acyclic graph: every lock must have a name of its own, every
 * blocking operation must be a lock or a join, threads must end without locks, and the sets of
 * held locks must be exact, not only a lower bound (FlowFacts.exact_locks). */
#include "engine/lockset/lockset.h"

#include "base/map.h"
#include "base/str.h"

typedef struct {
  const FlowLock *held;
  const FlowAcquire *acquire;
  uint32_t from, to; /* numbers of the two locks */
} OrderEdge;

typedef struct {
  const Flow *flow;
  CheckResult *result;
  Map lock_ids; /* base << 32 | offset to number + 1 */
  VEC(OrderEdge) edges;
  bool open;
  const char *because;
} Graph;

static uint32_t lock_id(Graph *g, const FlowLock *lock) {
  uint64_t *slot =
      map_at(&g->lock_ids, (uint64_t)lock->name.base << 32 | (uint32_t)lock->name.offset);
  if (!*slot)
    *slot = g->lock_ids.len;
  return (uint32_t)*slot - 1;
}

static void open_question(Graph *g, EdgeId edge, const char *what) {
  if (g->open)
    return;
  g->open = true;
  const Program *p = g->flow->program;
  const Loc *loc = &p->locs.data[p->edges.data[edge].loc];
  g->because = arena_printf(g->result->arena, "%s:%u %s", sym_text(p, loc->file), loc->line,
                            what);
}

static void collect(Graph *g) {
  const Flow *flow = g->flow;
  for (uint32_t i = 0; i < flow->acquires.len; i++) {
    const FlowAcquire *x = &flow->acquires.data[i];
    if (flow_stands_apart(flow, x->thread))
      open_question(g, x->edge, "takes a lock in a function that may interrupt its owner");
    if (!x->lock.unique) {
      if (x->attempt == ATTEMPT_BLOCK)
        open_question(g, x->edge, "takes a lock that has no name of its own");
      continue;
    }
    if (x->attempt != ATTEMPT_BLOCK)
      continue; /* it does not wait */
    for (uint32_t k = 0; k < x->lock_count; k++) {
      const FlowLock *held = &flow->locks.data[x->first_lock + k];
      if (!held->unique) {
        open_question(g, x->edge, "holds a lock that has no name of its own");
        continue;
      }
      OrderEdge edge = {held, x, lock_id(g, held), lock_id(g, &x->lock)};
      vec_push(&g->edges, edge);
    }
  }
}

/* ---- cycles ---- */

/* A lock, other than those waited for, that keeps the two apart. */
static bool share_gate(Graph *g, const OrderEdge *a, const OrderEdge *b) {
  const Flow *flow = g->flow;
  for (uint32_t i = 0; i < a->acquire->lock_count; i++)
    for (uint32_t k = 0; k < b->acquire->lock_count; k++) {
      const FlowLock *x = &flow->locks.data[a->acquire->first_lock + i];
      const FlowLock *y = &flow->locks.data[b->acquire->first_lock + k];
      if (x->unique && y->unique && x->name.base == y->name.base &&
          x->name.offset == y->name.offset &&
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

enum { MAX_CYCLE = 5 };

static void add_cycle(Graph *g, const OrderEdge *const *cycle, uint32_t n) {
  Arena *arena = g->result->arena;
  FoundAccess *accesses = arena_alloc_zero(arena, n * sizeof *accesses);
  Str name = {0};
  for (uint32_t i = 0; i < n; i++) {
    const FlowAcquire *x = cycle[i]->acquire;
    const char **locks = arena_alloc(arena, (x->lock_count + 1) * sizeof *locks);
    for (uint32_t k = 0; k < x->lock_count; k++)
      locks[k] = lockset_lock_name(g->flow, &g->flow->locks.data[x->first_lock + k], arena);
    const char *thread = lockset_thread_name(g->flow, x->thread, arena);
    bool many = false;
    for (uint32_t k = 0; k < n; k++)
      many = many || (k != i && cycle[k]->acquire->thread == x->thread);
    accesses[i] = (FoundAccess){
        .thread = many ? arena_printf(arena, "%s#%u", thread, i + 1) : thread,
        .kind = "lock",
        .edge = x->edge,
        .object = lockset_lock_name(g->flow, &x->lock, arena),
        .locks = locks,
        .lock_count = x->lock_count};
    str_addf(&name, "%s%s", i ? ", " : "", accesses[i].object);
  }
  Finding finding = {.property = PROPERTY_DEADLOCK,
                     .engine = "lockset",
                     .name = arena_strdup(arena, str_text(&name)),
                     .accesses = accesses,
                     .access_count = n,
                     .why = "each thread holds a lock that the next one waits for",
                     .fix = "take these locks in the same order everywhere"};
  vec_push(&g->result->findings, finding);
  str_free(&name);
}

/* Extends a chain of edges; a closed one is a cycle. Each lock starts only the cycles in which
 * it is the smallest, so each is found once. */
static void search(Graph *g, const OrderEdge **chain, uint32_t n, Map *told) {
  const OrderEdge *last = chain[n - 1];
  if (last->to == chain[0]->from) {
    if (!can_block(last, chain[0]))
      return;
    uint64_t key = 0;
    for (uint32_t i = 0; i < n; i++)
      key = key * 1000003 + chain[i]->from * 31 + chain[i]->acquire->edge;
    g->open = true;
    if (!map_get(told, key)) {
      map_put(told, key, 1);
      add_cycle(g, chain, n);
    }
    return;
  }
  if (n == MAX_CYCLE) {
    g->open = true;
    return;
  }
  for (uint32_t i = 0; i < g->edges.len; i++) {
    const OrderEdge *next = &g->edges.data[i];
    bool fits = next->from == last->to && next->from > chain[0]->from && can_block(last, next);
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
    if (chain[0]->from != chain[0]->to)
      search(g, chain, 1, &told);
  }
  map_free(&told);
}

/* Taking again what one surely has. */
static void find_relocks(Graph *g) {
  for (uint32_t i = 0; i < g->flow->acquires.len; i++) {
    const FlowAcquire *x = &g->flow->acquires.data[i];
    if (!x->again || x->attempt != ATTEMPT_BLOCK || x->recursive ||
        x->lock.mode == MODE_SHARED)
      continue;
    Arena *arena = g->result->arena;
    FoundAccess *access = arena_alloc_zero(arena, sizeof *access);
    *access = (FoundAccess){
        .thread = lockset_thread_name(g->flow, x->thread, arena),
        .kind = "lock",
        .edge = x->edge,
        .object = lockset_lock_name(g->flow, &x->lock, arena)};
    Finding finding = {.property = PROPERTY_DEADLOCK,
                       .engine = "lockset",
                       .name = access->object,
                       .accesses = access,
                       .access_count = 1,
                       .why = "the thread already holds this lock",
                       .fix = "unlock it first, or make it recursive"};
    vec_push(&g->result->findings, finding);
    g->open = true;
  }
}

/* Joins of the main thread cannot be part of a circle unless somebody joins the main thread;
 * whom the joins of other threads wait for is not known here. */
static bool joins_elsewhere(Graph *g, FuncId f) {
  for (uint32_t t = 0; t < g->flow->threads.len; t++)
    if (g->flow->threads.data[t].site && flow_thread_runs(g->flow, t, f))
      return true;
  return false;
}

/* Everything else that can wait. */
static void find_other_waits(Graph *g) {
  const Program *p = g->flow->program;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !pointsto_is_reachable(g->flow->pointsto, f))
      continue;
    for (uint32_t k = 0; k < function->edge_count; k++) {
      EdgeId e = function->first_edge + k;
      switch ((OpKind)p->edges.data[e].op) {
      case OP_JOIN:
        if (joins_elsewhere(g, f))
          open_question(g, e, "may join a thread that waits for it");
        break;
      case OP_CANCEL:
        open_question(g, e, "cancels a thread, which may hold a lock then");
        break;
      case OP_WAIT:
        open_question(g, e, "waits for a condition");
        break;
      case OP_BARRIER_WAIT:
        open_question(g, e, "waits at a barrier");
        break;
      case OP_SEM_WAIT:
        open_question(g, e, "waits for a semaphore");
        break;
      case OP_ONCE:
        open_question(g, e, "waits for a one-time initialiser");
        break;
      default:
        break;
      }
    }
  }
}

void lockset_check_deadlocks(const Flow *flow, CheckResult *result) {
  Graph g = {.flow = flow, .result = result};
  if (!flow->complete) {
    result->unknown_because[PROPERTY_DEADLOCK] = flow->incomplete;
    return;
  }
  collect(&g);
  find_cycles(&g);
  find_relocks(&g);
  find_other_waits(&g);
  if (flow->join_with_locks)
    open_question(&g, flow->join_with_locks, "joins a thread while it holds a lock");
  if (flow->end_with_locks)
    open_question(&g, flow->end_with_locks, "ends a thread that may hold a lock");
  if (flow->foreign_unlock)
    open_question(&g, flow->foreign_unlock, "unlocks what another thread locked");
  EdgeId renewed = lockset_renewed(flow); /* who waits for it may wait for ever */
  if (renewed)
    open_question(&g, renewed, "changes a lock or barrier that another thread may be using");
  if (flow->calls_back)
    open_question(&g, flow->calls_back,
                  "calls a function of which nothing is known, which may call the program's");
  if (flow->changed_by_callback)
    open_question(&g, flow->changed_by_callback,
                  "calls back a function that changes locks or threads");
  if (!flow->exact_locks && !g.open) {
    g.open = true;
    g.because = "the locks that are held could not be followed exactly";
  }
  if (!g.open)
    result->verdicts[PROPERTY_DEADLOCK] = VERDICT_SAFE;
  else
    result->unknown_because[PROPERTY_DEADLOCK] = g.because;
  map_free(&g.lock_ids);
  vec_free(&g.edges);
}
