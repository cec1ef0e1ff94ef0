/* See exclude.h. From floating point to integers: the vertex that the simplex method ends
 * in has small rational coordinates, so a common denominator is tried for; the pool then
 * checks the integers and refuses what is no invariant. */
#include "net/exclude.h"

#include "base/mem.h"
#include "net/support.h"
#include "net/trap.h"

#include <math.h>

enum {
  ALLOWANCE = 100000000, /* cost units that a kind of attempt may lose at first */
  LARGEST_SCALE = 5040,
  TRAPS_PER_QUERY = 12,
  MOST_TRAPS = 400,
  STAGES_PER_QUERY = 8,
};

/* What a kind of attempt may cost: an allowance, and as much as the search that it is to
 * save; and what it has cost, less where it helped. */
typedef struct {
  uint64_t allowance, lost;
  uint64_t spent, attempts; /* all in all */
} Account;

struct Excluder {
  const Net *net;
  Pool *pool;
  Lp *lp;
  const NetLimits *limits;
  VEC(Tokens) y;
  VEC(TrapUse) uses;
  VEC(double) values;
  TrapFinder *traps;
  Support *support;   /* NULL with transfers */
  VEC(uint8_t) alive; /* per transition: left to a run to the marking */
  Account equation, stages;
  uint64_t search_cost; /* so far, of the search that asks */
  bool solved;          /* one program was: the first is free, and the longest */
  bool paused;          /* the marking of the last question is still being looked at, */
  int round;            /* with so many traps found for it */
  uint64_t attempt;     /* and this was spent on it */
  uint32_t stage_queries, stage_successes;
  Numbers trap;
  VEC(uint8_t) empty; /* per place: the state equation leaves no token there */
  uint32_t trap_queries,
      trap_successes; /* markings that traps were tried on, and helped */
};

Excluder *excluder_new(const Net *net, Pool *pool, const NetLimits *limits) {
  Excluder *e = mem_alloc_zero(sizeof *e);
  *e = (Excluder){.net = net,
                  .pool = pool,
                  .limits = limits,
                  .equation.allowance = ALLOWANCE,
                  .stages.allowance = ALLOWANCE,
                  .lp = lp_new(net),
                  .traps = trap_finder_new(net),
                  .support = support_new(net)};
  (void)vec_extend(&e->empty, net->place_names.len + 1);
  (void)vec_extend(&e->alive, net->transitions.len + 1);
  return e;
}

void excluder_free(Excluder *e) {
  if (!e) return;
  lp_free(e->lp);
  vec_free(&e->y), vec_free(&e->uses), vec_free(&e->values);
  vec_free(&e->trap), vec_free(&e->empty);
  vec_free(&e->alive);
  support_free(e->support);
  trap_finder_free(e->traps);
  mem_free(e);
}

/* ---- integers --------------------------------------------------------------------- */

static bool is_integral(const double *values, uint32_t len, double scale) {
  for (uint32_t i = 0; i < len; i++) {
    double v = values[i] * scale;
    if (fabs(v - nearbyint(v)) > 1e-6 * scale || v > 1e9) return false;
  }
  return true;
}

static double find_scale(const double *values, uint32_t len) {
  double least = 1;
  for (uint32_t i = 0; i < len; i++)
    if (values[i] < least) least = values[i];
  if (is_integral(values, len, 1 / least)) return 1 / least;
  for (int scale = 1; scale <= LARGEST_SCALE; scale++)
    if (is_integral(values, len, scale)) return scale;
  for (int scale = 2; scale <= 64; scale++)
    if (is_integral(values, len, scale / least)) return scale / least;
  return 0;
}

/* y per place and, unless NULL, multiples of the traps of the pool. */
static bool round_weights(Excluder *e, const double *y, const double *traps) {
  const double tiny = 1e-7;
  uint32_t trap_count = traps ? e->pool->traps.len : 0;
  vec_clear(&e->values), vec_clear(&e->y), vec_clear(&e->uses);
  for (uint32_t p = 0; p < e->net->place_names.len; p++)
    if (y[p] > tiny) vec_push(&e->values, y[p]);
  for (uint32_t k = 0; k < trap_count; k++)
    if (traps[k] > tiny) vec_push(&e->values, traps[k]);
  double scale = find_scale(e->values.data, e->values.len);
  if (scale == 0) return false;
  for (uint32_t p = 0; p < e->net->place_names.len; p++)
    if (y[p] > tiny && nearbyint(y[p] * scale) >= 1)
      vec_push(&e->y, (Tokens){p, (uint32_t)nearbyint(y[p] * scale)});
  for (uint32_t k = 0; k < trap_count; k++)
    if (traps[k] > tiny && nearbyint(traps[k] * scale) >= 1)
      vec_push(&e->uses, (TrapUse){k, (uint32_t)nearbyint(traps[k] * scale)});
  return true;
}

/* ---- traps ------------------------------------------------------------------------ */

/* A trap that is marked in the beginning and empty after the firings of the state
 * equation; adds it to pool and program. */
static bool add_empty_trap(Excluder *e) {
  const Net *net = e->net;
  const double *x = lp_firings(e->lp);
  uint32_t places = net->place_names.len;
  double *m = mem_alloc((places + 1) * sizeof *m);
  for (uint32_t p = 0; p < places; p++)
    m[p] = net->initial.data[p] == NET_OMEGA ? 1e9 : net->initial.data[p];
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    MarkingView pre = net_pre(net, t), post = net_post(net, t);
    if (fabs(x[t]) < 1e-9) continue;
    for (uint32_t i = 0; i < pre.len; i++) m[pre.at[i].place] -= x[t] * pre.at[i].count;
    for (uint32_t i = 0; i < post.len; i++)
      m[post.at[i].place] += x[t] * post.at[i].count;
  }
  for (uint32_t p = 0; p < places; p++) e->empty.data[p] = m[p] < 1e-6;
  mem_free(m);
  if (!trap_find(e->traps, e->empty.data, &e->trap)) return false;
  pool_add_trap(e->pool, e->trap.data, e->trap.len);
  lp_add_trap(e->lp, e->trap.data, e->trap.len);
  return true;
}

/* ---- what pays -------------------------------------------------------------------- */

/* What is left of it when `more` was spent besides. */
static uint64_t left_of(const Excluder *e, const Account *a, uint64_t more) {
  uint64_t most = a->allowance + e->search_cost, spent = a->lost + more;
  return spent < most ? most - spent : 0;
}

/* Is enough left for one more like those before? */
static bool pays(const Excluder *e, const Account *a) {
  uint64_t left = left_of(e, a, 0);
  return left > 0 && (a->attempts == 0 || left >= a->spent / a->attempts);
}

static void settle(Account *a, bool helped, uint64_t cost) {
  a->spent += cost;
  a->attempts++;
  a->lost += helped ? cost / 8 : cost;
}

/* ---- trying ----------------------------------------------------------------------- */

static uint32_t milliseconds_left(const NetLimits *limits) {
  const uint32_t most = 20000;
  if (!limits->deadline) return most;
  uint64_t now = net_clock();
  uint64_t left = limits->deadline > now ? (limits->deadline - now) / 1000000 : 0;
  return left < most ? (uint32_t)left : most;
}

/* Traps make the program larger and are searched for at some cost: they are tried as long
 * as they help with one marking in four. */
static bool may_try_traps(Excluder *e) {
  if (e->pool->traps.len >= MOST_TRAPS || e->round == TRAPS_PER_QUERY) return false;
  if (e->round > 0) return true;
  if (e->trap_queries > 8 + 4 * e->trap_successes) return false;
  e->trap_queries++;
  return true;
}

static uint32_t add_rounded(Excluder *e, uint32_t after, bool reach,
                            MarkingView marking) {
  return pool_add(e->pool, (MarkingView){e->y.data, e->y.len}, e->uses.data, e->uses.len,
                  after, reach, marking);
}

static bool take_weights(Excluder *e, uint32_t after, MarkingView marking) {
  if (!round_weights(e, lp_weights(e->lp), lp_trap_weights(e->lp)) ||
      add_rounded(e, after, false, marking) == NET_NONE)
    return false;
  e->trap_successes += after == NET_NONE && e->uses.len > 0;
  return true;
}

/* ---- stages ----------------------------------------------------------------------- */

/* Like traps, they are tried as long as they help. */
static bool may_try_stages(Excluder *e) {
  if (!e->support || !pays(e, &e->stages) ||
      e->stage_queries > 16 + 8 * e->stage_successes)
    return false;
  e->stage_queries++;
  return true;
}

static uint32_t count_alive(const uint8_t *alive, uint32_t len) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < len; i++) count += alive[i];
  return count;
}

/* Is a place that m needs without tokens whatever is left fires? Then all such places
 * together are the last stage. */
static bool end_by_empty(Excluder *e, const uint8_t *marked, uint32_t after,
                         MarkingView m) {
  bool empty = false;
  for (uint32_t i = 0; i < m.len; i++) empty = empty || !marked[m.at[i].place];
  if (!empty) return false;
  vec_clear(&e->y), vec_clear(&e->uses);
  for (uint32_t p = 0; p < e->net->place_names.len; p++)
    if (!marked[p]) vec_push(&e->y, (Tokens){p, 1});
  return add_rounded(e, after, false, m) != NET_NONE;
}

/* The state equation has a solution. Leave out the transitions that fire in none, and
 * those that cannot fire without them, and look again, until there is no solution or
 * nothing more to leave out. */
static bool try_stages(Excluder *e, MarkingView m, uint64_t *cost) {
  uint32_t transitions = e->net->transitions.len, after = NET_NONE;
  const uint8_t *alive, *marked;
  memset(e->alive.data, 1, e->alive.len);
  for (int stage = 0; stage < STAGES_PER_QUERY; stage++) {
    bool solved =
        support_solve(e->support, m, e->alive.data, left_of(e, &e->stages, *cost),
                      milliseconds_left(e->limits), cost);
    if (!solved || !round_weights(e, support_weights(e->support), NULL)) return false;
    if (e->y.len == 0) return false; /* everything left fires together */
    after = add_rounded(e, after, true, m);
    if (after == NET_NONE) return false;
    uint32_t before = count_alive(e->alive.data, transitions);
    pool_narrow(e->pool, after, &alive, &marked);
    memcpy(e->alive.data, alive, transitions);
    if (end_by_empty(e, marked, after, m)) return true;
    if (count_alive(e->alive.data, transitions) == before) return false;
    lp_restrict(e->lp, e->alive.data);
    LpAnswer answer = lp_solve(e->lp, m, left_of(e, &e->stages, *cost),
                               milliseconds_left(e->limits), cost);
    lp_restrict(e->lp, NULL);
    if (answer == LP_EXCLUDED) return take_weights(e, after, m);
    if (answer != LP_FEASIBLE) return false;
  }
  return false;
}

/* ---- all of it -------------------------------------------------------------------- */

/* What stages were left when they did not help is forgotten. */
static bool excluded_in_stages(Excluder *e, MarkingView m, uint64_t *cost) {
  uint32_t known = e->pool->invariants.len;
  uint64_t spent = 0;
  bool excluded = try_stages(e, m, &spent);
  settle(&e->stages, excluded, spent);
  if (excluded)
    e->stage_successes++;
  else
    pool_forget(e->pool, known);
  *cost += spent;
  return excluded;
}

/* By the state equation, with more and more traps. */
static ExcluderAnswer try_equation(Excluder *e, MarkingView m, uint64_t budget,
                                   uint64_t *cost) {
  for (;; e->round++) {
    uint64_t left = e->solved ? left_of(e, &e->equation, e->attempt + *cost) : UINT64_MAX;
    if (left == 0) return EXCLUDER_FAILED;
    if (*cost >= budget) return EXCLUDER_PAUSED;
    if (left > budget - *cost) left = budget - *cost;
    LpAnswer answer = lp_solve(e->lp, m, left, milliseconds_left(e->limits), cost);
    if (answer == LP_GAVE_UP) return EXCLUDER_FAILED;
    if (answer == LP_PAUSED) return EXCLUDER_PAUSED;
    if (!e->solved) e->equation.allowance += e->attempt + *cost;
    e->solved = true;
    if (answer == LP_EXCLUDED)
      return take_weights(e, NET_NONE, m) ? EXCLUDER_EXCLUDED : EXCLUDER_FAILED;
    uint64_t before = trap_finder_work(e->traps);
    if (!may_try_traps(e)) return EXCLUDER_FAILED;
    bool added = add_empty_trap(e);
    *cost += trap_finder_work(e->traps) - before;
    if (!added) return EXCLUDER_FAILED;
  }
}

ExcluderAnswer excluder_try(Excluder *e, MarkingView marking, uint64_t budget,
                            uint64_t search_cost, uint64_t *cost) {
  uint64_t spent = 0;
  e->search_cost = search_cost;
  if (!e->paused) {
    if (!pays(e, &e->equation)) return EXCLUDER_FAILED;
    e->round = 0;
    e->attempt = 0;
  }
  ExcluderAnswer answer = try_equation(e, marking, budget, &spent);
  *cost += spent;
  e->attempt += spent;
  e->paused = answer == EXCLUDER_PAUSED;
  if (e->paused) return answer;
  if (answer == EXCLUDER_FAILED && may_try_stages(e) &&
      excluded_in_stages(e, marking, cost))
    answer = EXCLUDER_EXCLUDED;
  settle(&e->equation, answer == EXCLUDER_EXCLUDED, e->attempt);
  return answer;
}
