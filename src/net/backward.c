/* See backward.h.
 *
 * Invariants of the search, once the targets are in:
 * 1. Every target is excluded by the pool or above an item that is alive.
 * 2. For every item that is alive and was expanded, each predecessor is excluded by the
 *    pool or above an item that is alive. (An item that dies because a smaller one came
 *    is replaced by that; one that is removed because a new invariant excludes it takes
 *    with it only predecessors above it, which the invariant excludes, too.)
 * 3. No item is below the initial marking, except the last one of an unsafe search.
 * So when nothing is left to expand, the items that are alive and the pool are a
 * proof. */
#include "net/backward.h"

#include "base/heap.h"
#include "base/mem.h"
#include "net/distance.h"
#include "net/exclude.h"
#include "net/pre.h"

#include <assert.h>
#include <stdio.h>

enum { CLOCK_EVERY = 64 }; /* items between two looks at the clock */

struct Backward {
  const Net *net;
  const NetLimits *limits;
  bool plain, started;
  bool paused;      /* while items are still to be looked at */
  uint32_t pending; /* the one that was being looked at, or NET_NONE */
  const char *reason;
  Basis *basis;
  Pool *pool;
  Excluder *excluder;    /* NULL when plain */
  uint32_t *distance;    /* per place */
  Heap near, small;      /* what is still to be expanded, by two orders */
  bool turn;             /* which of them comes next */
  VEC(uint8_t) expanded; /* per item */
  VEC(uint32_t) stamp;   /* per transition: the last item that tried it */
  uint32_t stamps;
  Marking marking;             /* the one being expanded */
  uint32_t parent, transition; /* of the candidate being looked at */
  PreScratch scratch;
  uint32_t found;       /* the item below the initial marking, or NET_NONE */
  uint64_t search_cost; /* but for basis and pool, which count for themselves */
  uint64_t lp_cost;     /* of linear programs */
  BackwardStats stats;
};

Backward *backward_new(const Net *net, const NetLimits *limits, bool plain) {
  Backward *b = mem_alloc_zero(sizeof *b);
  b->net = net;
  b->limits = limits;
  b->plain = plain;
  b->basis = basis_new(net->place_names.len);
  b->pool = pool_new(net);
  if (!plain) b->excluder = excluder_new(net, b->pool, limits);
  b->distance = distance_from_initial(net);
  b->found = b->pending = NET_NONE;
  if (net->transitions.len > 0) (void)vec_extend(&b->stamp, net->transitions.len);
  return b;
}

void backward_free(Backward *b) {
  if (!b) return;
  excluder_free(b->excluder);
  pool_free(b->pool);
  basis_free(b->basis);
  mem_free(b->distance);
  vec_free(&b->near), vec_free(&b->small);
  vec_free(&b->expanded), vec_free(&b->stamp), vec_free(&b->marking);
  pre_free(&b->scratch);
  mem_free(b);
}

/* ---- what comes next -------------------------------------------------------------- */

static uint64_t estimate(const Backward *b, MarkingView m) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < m.len; i++) {
    uint32_t p = m.at[i].place, initial = b->net->initial.data[p];
    if (m.at[i].count > initial)
      sum += (uint64_t)(m.at[i].count - initial) * b->distance[p];
    if (sum > UINT32_MAX) return UINT32_MAX;
  }
  return sum;
}

static void enqueue(Backward *b, uint32_t item) {
  const BasisItem *x = &b->basis->items.data[item];
  vec_push(&b->expanded, 0);
  assert(b->expanded.len == item + 1);
  if (b->plain) {
    heap_push(&b->small, 0, item);
    return;
  }
  heap_push(&b->small, ((uint64_t)x->sum << 32) | x->depth, item);
  heap_push(&b->near, (estimate(b, basis_view(b->basis, item)) << 32) | x->depth, item);
}

static uint64_t own_cost(const Backward *b) {
  return b->search_cost + b->basis->work + b->pool->work;
}

/* Only what is about to be expanded is worth a linear program: most markings fall before
 * to a smaller one or to an invariant that was found for another. */
static ExcluderAnswer try_to_exclude(Backward *b, MarkingView m, uint64_t end) {
  uint64_t now = backward_cost(b);
  if (pool_excludes(b->pool, m) != NET_NONE) return EXCLUDER_EXCLUDED;
  return excluder_try(b->excluder, m, end > now ? end - now : 0, own_cost(b),
                      &b->lp_cost);
}

static uint32_t pop(Backward *b) {
  uint32_t item = b->pending;
  b->pending = NET_NONE;
  if (item != NET_NONE) return item;
  b->turn = !b->turn;
  return heap_pop((b->turn && b->near.len > 0) || b->small.len == 0 ? &b->near
                                                                    : &b->small)
      .item;
}

/* The next item to expand, or NET_NONE when none is left, or when excluding others has
 * taken until `end`. */
static uint32_t choose(Backward *b, uint64_t end) {
  b->paused = false;
  while (b->near.len + b->small.len > 0 || b->pending != NET_NONE) {
    uint32_t item = pop(b);
    if (!b->basis->items.data[item].alive || b->expanded.data[item]) continue;
    ExcluderAnswer answer =
        b->plain ? EXCLUDER_FAILED : try_to_exclude(b, basis_view(b->basis, item), end);
    if (answer == EXCLUDER_FAILED) {
      b->expanded.data[item] = 1;
      return item;
    }
    if (answer == EXCLUDER_PAUSED) {
      b->pending = item;
    } else {
      basis_remove(b->basis, item);
      b->stats.excluded++;
    }
    b->paused = backward_cost(b) >= end || net_time_is_up(b->limits);
    if (b->paused) break;
  }
  return NET_NONE;
}

/* ---- candidates ------------------------------------------------------------------- */

static bool is_initial(const Backward *b, MarkingView m) {
  for (uint32_t i = 0; i < m.len; i++)
    if (m.at[i].count > b->net->initial.data[m.at[i].place]) return false;
  return true;
}

/* False ends the search: the initial marking is above the candidate. */
static bool consider(void *user, MarkingView m) {
  Backward *b = user;
  uint32_t died = 0;
  b->stats.generated++;
  b->search_cost += 4 + m.len;
  if (is_initial(b, m)) {
    b->found = basis_add(b->basis, m, b->parent, b->transition, &died);
    return false;
  }
  if (!b->plain && pool_excludes(b->pool, m) != NET_NONE) {
    b->stats.excluded++;
    return true;
  }
  if (basis_below(b->basis, m) != NET_NONE) {
    b->stats.subsumed++;
    return true;
  }
  uint32_t item = basis_add(b->basis, m, b->parent, b->transition, &died);
  b->stats.subsumed += died;
  if (b->basis->alive > b->stats.configurations)
    b->stats.configurations = b->basis->alive;
  if (b->basis->items.data[item].depth > b->stats.depth)
    b->stats.depth = b->basis->items.data[item].depth;
  enqueue(b, item);
  return true;
}

static SearchStatus stop(Backward *b, const char *reason) {
  b->reason = reason;
  return SEARCH_STOPPED;
}

static SearchStatus try_transition(Backward *b, uint32_t t) {
  MarkingView m = {b->marking.data, b->marking.len};
  b->search_cost += 2;
  if (b->stamp.data[t] == b->stamps) return SEARCH_RUNNING;
  b->stamp.data[t] = b->stamps;
  b->transition = t;
  switch (pre_visit(b->net, t, m, &b->scratch, consider, b)) {
  case PRE_ENDED: return SEARCH_UNSAFE;
  case PRE_TOO_LARGE: return stop(b, "a marking has too many tokens to be counted");
  default: return SEARCH_RUNNING;
  }
}

static SearchStatus expand(Backward *b, uint32_t item) {
  const Net *net = b->net;
  MarkingView view = basis_view(b->basis, item);
  assert(b->basis->items.data[item].alive);
  SearchStatus status = SEARCH_RUNNING;
  vec_clear(&b->marking);
  for (uint32_t i = 0; i < view.len; i++) vec_push(&b->marking, view.at[i]);
  b->parent = item;
  b->stamps++;
  b->stats.iterations++;
  for (uint32_t i = 0; i < b->marking.len && status == SEARCH_RUNNING; i++) {
    uint32_t p = b->marking.data[i].place;
    for (uint32_t k = net->gain_start.data[p];
         k < net->gain_start.data[p + 1] && status == SEARCH_RUNNING; k++)
      status = try_transition(b, net->gain.data[k]);
    /* Once a smaller marking has taken its place, the rest is that one's business. */
    if (!b->basis->items.data[item].alive) break;
  }
  return status;
}

static SearchStatus add_targets(Backward *b) {
  b->started = true;
  b->parent = NET_NONE;
  for (uint32_t i = 0; i < b->net->targets.len; i++) {
    MarkingView target = net_target(b->net, i);
    vec_clear(&b->marking);
    for (uint32_t k = 0; k < target.len; k++) vec_push(&b->marking, target.at[k]);
    b->transition = i;
    if (!consider(b, (MarkingView){b->marking.data, b->marking.len}))
      return SEARCH_UNSAFE;
  }
  return SEARCH_RUNNING;
}

/* ---- the search ------------------------------------------------------------------- */

static void report(Backward *b) {
  char detail[96];
  if (!b->limits->progress) return;
  snprintf(detail, sizeof detail, "basis %u, to do %u, invariants %u", b->basis->alive,
           b->small.len, b->pool->invariants.len);
  progress_step(b->limits->progress, CLOCK_EVERY, detail);
}

SearchStatus backward_run(Backward *b, uint64_t work) {
  uint64_t end = backward_cost(b) + work;
  SearchStatus status = b->started ? SEARCH_RUNNING : add_targets(b);
  for (uint32_t n = 1; status == SEARCH_RUNNING; n++) {
    assert(b->found == NET_NONE);
    uint32_t item = choose(b, end);
    if (item == NET_NONE) return b->paused ? SEARCH_RUNNING : SEARCH_SAFE;
    status = expand(b, item);
    if (n % CLOCK_EVERY == 0 || backward_cost(b) >= end) {
      report(b);
      if (b->limits->memory && basis_memory(b->basis) > b->limits->memory)
        return stop(b, "the basis needs more memory than allowed");
    }
    if (backward_cost(b) >= end || net_time_is_up(b->limits)) break;
  }
  return status;
}

uint64_t backward_cost(const Backward *b) {
  return own_cost(b) + b->lp_cost;
}

const char *backward_reason(const Backward *b) {
  return b->reason;
}

uint32_t backward_path(const Backward *b, Numbers *out) {
  uint32_t item = b->found;
  assert(item != NET_NONE);
  for (; b->basis->items.data[item].parent != NET_NONE;
       item = b->basis->items.data[item].parent)
    vec_push(out, b->basis->items.data[item].transition);
  return b->basis->items.data[item].transition;
}

const Basis *backward_basis(const Backward *b) {
  return b->basis;
}

const Pool *backward_pool(const Backward *b) {
  return b->pool;
}

const BackwardStats *backward_stats(const Backward *b) {
  return &b->stats;
}
