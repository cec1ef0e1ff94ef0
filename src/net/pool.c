/* See pool.h. The search proposes vectors that came out of floating point; what enters
 * the pool was checked here with integers. */
#include "net/pool.h"

#include "base/mem.h"

Pool *pool_new(const Net *net) {
  Pool *pool = mem_alloc_zero(sizeof *pool);
  uint32_t places = net->place_names.len;
  pool->net = net;
  pool->entries = mem_alloc_zero((places + 1) * sizeof *pool->entries);
  if (places > 0) (void)vec_extend(&pool->dense, places);
  return pool;
}

void pool_free(Pool *pool) {
  if (!pool) return;
  for (uint32_t p = 0; p < pool->net->place_names.len; p++) vec_free(&pool->entries[p]);
  mem_free(pool->entries);
  vec_free(&pool->weights);
  vec_free(&pool->uses);
  vec_free(&pool->traps);
  vec_free(&pool->trap_places);
  vec_free(&pool->invariants);
  vec_free(&pool->score);
  vec_free(&pool->scored);
  vec_free(&pool->dense);
  mem_free(pool);
}

/* Sums that leave 64 bits are above every bound. */
static uint64_t add_product(uint64_t sum, uint64_t a, uint64_t b) {
  uint64_t product, total;
  if (__builtin_mul_overflow(a, b, &product) ||
      __builtin_add_overflow(sum, product, &total))
    return UINT64_MAX;
  return total;
}

uint32_t pool_excludes(Pool *pool, MarkingView m) {
  uint32_t found = NET_NONE;
  for (uint32_t i = 0; i < m.len; i++) {
    uint32_t p = m.at[i].place;
    for (uint32_t k = 0; k < pool->entries[p].len; k++) {
      PoolEntry e = pool->entries[p].data[k];
      uint64_t *score = &pool->score.data[e.invariant];
      if (*score == 0) vec_push(&pool->scored, e.invariant);
      *score = add_product(*score, e.weight, m.at[i].count);
      if (*score > pool->invariants.data[e.invariant].bound && e.invariant < found)
        found = e.invariant;
    }
  }
  for (uint32_t i = 0; i < pool->scored.len; i++)
    pool->score.data[pool->scored.data[i]] = 0;
  vec_clear(&pool->scored);
  if (found != NET_NONE) pool->invariants.data[found].hits++;
  return found;
}

uint32_t pool_add_trap(Pool *pool, const uint32_t *places, uint32_t len) {
  vec_push(&pool->traps, (Trap){pool->trap_places.len, len});
  for (uint32_t i = 0; i < len; i++) vec_push(&pool->trap_places, places[i]);
  return pool->traps.len - 1;
}

/* ---- checking --------------------------------------------------------------------- */

static bool is_inductive(const Pool *pool) {
  const Net *net = pool->net;
  const __int128 *y = pool->dense.data;
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    MarkingView pre = net_pre(net, t), post = net_post(net, t);
    const NetTransition *x = &net->transitions.data[t];
    __int128 change = 0;
    for (uint32_t i = 0; i < post.len; i++)
      change += y[post.at[i].place] * post.at[i].count;
    for (uint32_t i = 0; i < pre.len; i++) change -= y[pre.at[i].place] * pre.at[i].count;
    if (change > 0) return false;
    for (uint32_t i = 0; i < x->transfer_len; i++) {
      Transfer move = net->transfers.data[x->transfer + i];
      if (move.to != NET_NOWHERE && y[move.to] > y[move.from]) return false;
    }
  }
  return true;
}

/* y·M0; false when it is infinite or far too large. */
static bool initial_sum(const Pool *pool, MarkingView y, uint64_t *ret_sum) {
  __int128 sum = 0;
  for (uint32_t i = 0; i < y.len; i++) {
    uint32_t initial = pool->net->initial.data[y.at[i].place];
    if (initial == NET_OMEGA) return false;
    sum += (__int128)y.at[i].count * initial;
  }
  *ret_sum = (uint64_t)sum;
  return sum < INT64_MAX;
}

/* Turns the dense y into u by taking the traps away, and the bound with it. */
static bool take_traps(Pool *pool, const TrapUse *uses, uint32_t len, uint64_t *bound,
                       bool *ret_hopeless) {
  for (uint32_t i = 0; i < len; i++) {
    const Trap *trap = &pool->traps.data[uses[i].trap];
    for (uint32_t k = 0; k < trap->len; k++) {
      __int128 *u = &pool->dense.data[pool->trap_places.data[trap->start + k]];
      *u -= uses[i].times;
      if (*u < 0) return false;
    }
    /* A bound below zero says that nothing at all is reachable, which cannot be. */
    if (*bound < uses[i].times) *ret_hopeless = true;
    *bound -= uses[i].times;
  }
  return !*ret_hopeless;
}

static void record(Pool *pool, MarkingView y, const TrapUse *uses, uint32_t uses_len,
                   uint64_t bound) {
  Invariant v = {.y = pool->weights.len,
                 .y_len = y.len,
                 .uses = pool->uses.len,
                 .uses_len = uses_len,
                 .bound = bound};
  uint32_t id = pool->invariants.len;
  for (uint32_t i = 0; i < y.len; i++) vec_push(&pool->weights, y.at[i]);
  for (uint32_t i = 0; i < uses_len; i++) vec_push(&pool->uses, uses[i]);
  v.u = pool->weights.len;
  for (uint32_t i = 0; i < y.len; i++) {
    uint32_t p = y.at[i].place, u = (uint32_t)pool->dense.data[p];
    if (u == 0) continue;
    vec_push(&pool->weights, (Tokens){p, u});
    vec_push(&pool->entries[p], (PoolEntry){id, u});
  }
  v.u_len = pool->weights.len - v.u;
  vec_push(&pool->invariants, v);
  vec_push(&pool->score, 0);
}

static bool exceeds(const Pool *pool, MarkingView marking, uint64_t bound) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < marking.len; i++)
    sum = add_product(sum, (uint64_t)pool->dense.data[marking.at[i].place],
                      marking.at[i].count);
  return sum > bound;
}

bool pool_add(Pool *pool, MarkingView y, const TrapUse *uses, uint32_t uses_len,
              MarkingView marking) {
  uint64_t bound;
  bool hopeless = false;
  if (!initial_sum(pool, y, &bound)) return false;
  for (uint32_t i = 0; i < y.len; i++) pool->dense.data[y.at[i].place] = y.at[i].count;
  bool ok = is_inductive(pool) && take_traps(pool, uses, uses_len, &bound, &hopeless) &&
            exceeds(pool, marking, bound);
  if (ok) record(pool, y, uses, uses_len, bound);
  for (uint32_t i = 0; i < y.len; i++) pool->dense.data[y.at[i].place] = 0;
  for (uint32_t i = 0; i < uses_len; i++) {
    const Trap *trap = &pool->traps.data[uses[i].trap];
    for (uint32_t k = 0; k < trap->len; k++)
      pool->dense.data[pool->trap_places.data[trap->start + k]] = 0;
  }
  return ok;
}
