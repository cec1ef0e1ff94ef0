/* See pool.h. The search proposes vectors that came out of floating point; what enters
 * the pool was checked here with integers. */
#include "net/pool.h"

#include "base/mem.h"

#include <assert.h>

Pool *pool_new(const Net *net) {
  Pool *pool = mem_alloc_zero(sizeof *pool);
  uint32_t places = net->place_names.len;
  pool->net = net;
  pool->entries = mem_alloc_zero((places + 1) * sizeof *pool->entries);
  (void)vec_extend(&pool->dense, places + 1);
  (void)vec_extend(&pool->marked, places + 1);
  (void)vec_extend(&pool->alive, net->transitions.len + 1);
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
  vec_free(&pool->dense), vec_free(&pool->alive), vec_free(&pool->marked);
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

/* With the scores of a marking: is it above the bound of this one, and not below those
 * that this one comes after? */
static bool rules_out(const Pool *pool, uint32_t id) {
  const Invariant *v = &pool->invariants.data[id];
  if (pool->score.data[id] <= v->bound) return false;
  for (uint32_t i = v->after; i != NET_NONE; i = pool->invariants.data[i].after)
    if (pool->score.data[i] < pool->invariants.data[i].bound) return false;
  return true;
}

uint32_t pool_excludes(Pool *pool, MarkingView m) {
  uint32_t found = NET_NONE;
  for (uint32_t i = 0; i < m.len; i++) {
    uint32_t p = m.at[i].place;
    pool->work += 1 + pool->entries[p].len;
    for (uint32_t k = 0; k < pool->entries[p].len; k++) {
      PoolEntry e = pool->entries[p].data[k];
      uint64_t *score = &pool->score.data[e.invariant];
      if (*score == 0) vec_push(&pool->scored, e.invariant);
      *score = add_product(*score, e.weight, m.at[i].count);
    }
  }
  for (uint32_t i = 0; i < pool->scored.len; i++)
    if (pool->scored.data[i] < found && rules_out(pool, pool->scored.data[i]))
      found = pool->scored.data[i];
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

/* What t adds to the weighted sum in `dense`, transfers aside. */
static __int128 change_by(const Pool *pool, uint32_t t) {
  MarkingView pre = net_pre(pool->net, t), post = net_post(pool->net, t);
  const __int128 *y = pool->dense.data;
  __int128 change = 0;
  for (uint32_t i = 0; i < post.len; i++)
    change += y[post.at[i].place] * post.at[i].count;
  for (uint32_t i = 0; i < pre.len; i++) change -= y[pre.at[i].place] * pre.at[i].count;
  return change;
}

/* For the transitions in `alive`. */
static bool is_inductive(const Pool *pool) {
  const Net *net = pool->net;
  const __int128 *y = pool->dense.data;
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    const NetTransition *x = &net->transitions.data[t];
    if (!pool->alive.data[t]) continue;
    if (change_by(pool, t) > 0) return false;
    for (uint32_t i = 0; i < x->transfer_len; i++) {
      Transfer move = net->transfers.data[x->transfer + i];
      if (move.to != NET_NOWHERE && y[move.to] > y[move.from]) return false;
    }
  }
  return true;
}

static void load(Pool *pool, MarkingView y) {
  for (uint32_t i = 0; i < y.len; i++) pool->dense.data[y.at[i].place] = y.at[i].count;
}

static void unload(Pool *pool, MarkingView y) {
  for (uint32_t i = 0; i < y.len; i++) pool->dense.data[y.at[i].place] = 0;
}

/* Leaves in `alive` what fires when nothing else does, and marks its places. */
static void keep_firable(Pool *pool) {
  const Net *net = pool->net;
  Numbers missing = {0}, work = {0};
  (void)vec_extend(&missing, net->transitions.len + 1);
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    pool->marked.data[p] = net->initial.data[p] > 0;
    if (pool->marked.data[p]) vec_push(&work, p);
  }
  /* A transition without input fires at once; net_index lists it under no place. */
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    MarkingView post = net_post(net, t);
    missing.data[t] = net_pre(net, t).len;
    for (uint32_t i = 0; !missing.data[t] && pool->alive.data[t] && i < post.len; i++)
      if (!pool->marked.data[post.at[i].place]) {
        pool->marked.data[post.at[i].place] = 1;
        vec_push(&work, post.at[i].place);
      }
  }
  while (work.len > 0) {
    uint32_t p = vec_pop(&work);
    for (uint32_t k = net->take_start.data[p]; k < net->take_start.data[p + 1]; k++) {
      uint32_t t = net->take.data[k];
      MarkingView post = net_post(net, t);
      if (--missing.data[t] > 0 || !pool->alive.data[t]) continue;
      for (uint32_t i = 0; i < post.len; i++)
        if (!pool->marked.data[post.at[i].place]) {
          pool->marked.data[post.at[i].place] = 1;
          vec_push(&work, post.at[i].place);
        }
    }
  }
  for (uint32_t t = 0; t < net->transitions.len; t++)
    pool->alive.data[t] = pool->alive.data[t] && missing.data[t] == 0;
  vec_free(&missing), vec_free(&work);
}

void pool_narrow(Pool *pool, uint32_t after, const uint8_t **ret_alive,
                 const uint8_t **ret_marked) {
  memset(pool->alive.data, 1, pool->alive.len);
  memset(pool->marked.data, 1, pool->marked.len);
  for (uint32_t id = after; id != NET_NONE; id = pool->invariants.data[id].after) {
    const Invariant *v = &pool->invariants.data[id];
    MarkingView y = {pool->weights.data + v->y, v->y_len};
    load(pool, y);
    for (uint32_t t = 0; t < pool->net->transitions.len; t++)
      if (pool->alive.data[t] && change_by(pool, t) < 0) pool->alive.data[t] = 0;
    unload(pool, y);
  }
  if (after != NET_NONE) keep_firable(pool);
  *ret_alive = pool->alive.data;
  *ret_marked = pool->marked.data;
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
                   uint32_t after, uint64_t bound) {
  Invariant v = {.y = pool->weights.len,
                 .y_len = y.len,
                 .uses = pool->uses.len,
                 .uses_len = uses_len,
                 .after = after,
                 .bound = bound};
  uint32_t id = pool->invariants.len;
  for (uint32_t i = 0; i < y.len; i++) vec_push(&pool->weights, y.at[i]);
  for (uint32_t i = 0; i < uses_len; i++) vec_push(&pool->uses, uses[i]);
  v.u = pool->weights.len;
  for (uint32_t i = 0; i < y.len; i++) {
    uint32_t p = y.at[i].place, u = (uint32_t)pool->dense.data[p];
    if (u == 0) continue;
    assert(pool->dense.data[p] == u);
    vec_push(&pool->weights, (Tokens){p, u});
    vec_push(&pool->entries[p], (PoolEntry){id, u});
  }
  v.u_len = pool->weights.len - v.u;
  vec_push(&pool->invariants, v);
  vec_push(&pool->score, 0);
}

static uint64_t sum_over(const Pool *pool, MarkingView marking) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < marking.len; i++)
    sum = add_product(sum, (uint64_t)pool->dense.data[marking.at[i].place],
                      marking.at[i].count);
  return sum;
}

uint32_t pool_add(Pool *pool, MarkingView y, const TrapUse *uses, uint32_t uses_len,
                  uint32_t after, bool reach, MarkingView marking) {
  const uint8_t *alive, *marked;
  uint64_t bound;
  bool hopeless = false;
  if (!initial_sum(pool, y, &bound)) return NET_NONE;
  pool_narrow(pool, after, &alive, &marked);
  load(pool, y);
  bool ok = is_inductive(pool) && take_traps(pool, uses, uses_len, &bound, &hopeless);
  uint64_t sum = ok ? sum_over(pool, marking) : 0;
  ok = ok && (sum > bound || (reach && sum == bound));
  if (ok) record(pool, y, uses, uses_len, after, bound);
  unload(pool, y);
  for (uint32_t i = 0; i < uses_len; i++) {
    const Trap *trap = &pool->traps.data[uses[i].trap];
    for (uint32_t k = 0; k < trap->len; k++)
      pool->dense.data[pool->trap_places.data[trap->start + k]] = 0;
  }
  return ok ? pool->invariants.len - 1 : NET_NONE;
}

/* The entries of the last invariant are the last ones everywhere. */
void pool_forget(Pool *pool, uint32_t from) {
  while (pool->invariants.len > from) {
    Invariant v = vec_pop(&pool->invariants);
    for (uint32_t i = 0; i < v.u_len; i++) {
      PoolEntry last = vec_pop(&pool->entries[pool->weights.data[v.u + i].place]);
      assert(last.invariant == pool->invariants.len);
    }
    pool->weights.len = v.y;
    pool->uses.len = v.uses;
    pool->score.len--;
  }
}
