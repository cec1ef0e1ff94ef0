/* See exclude.h. From floating point to integers: the vertex that the simplex method ends
 * in has small rational coordinates, so a common denominator is tried for; the pool then
 * checks the integers and refuses what is no invariant. */
#include "net/exclude.h"

#include "base/mem.h"

#include <math.h>

enum {
  LARGEST_SCALE = 5040,
  TRAPS_PER_QUERY = 12,
  MOST_TRAPS = 400,
  SHRINK_UP_TO = 400, /* places of a trap that are tried one by one */
};

struct Excluder {
  const Net *net;
  Pool *pool;
  Lp *lp;
  const NetLimits *limits;
  VEC(Tokens) y;
  VEC(TrapUse) uses;
  VEC(double) values;
  VEC(uint32_t) trap, outputs, work; /* outputs: per transition, arcs into the candidate */
  VEC(uint8_t) inside;               /* per place */
  VEC(uint8_t) saved;
  uint32_t trap_queries, trap_successes; /* markings that traps were tried on, and helped */
};

Excluder *excluder_new(const Net *net, Pool *pool, const NetLimits *limits) {
  Excluder *e = mem_alloc_zero(sizeof *e);
  *e = (Excluder){.net = net, .pool = pool, .limits = limits, .lp = lp_new(net)};
  if (net->transitions.len > 0) (void)vec_extend(&e->outputs, net->transitions.len);
  if (net->place_names.len > 0) {
    (void)vec_extend(&e->inside, net->place_names.len);
    (void)vec_extend(&e->saved, net->place_names.len);
  }
  return e;
}

void excluder_free(Excluder *e) {
  if (!e) return;
  lp_free(e->lp);
  vec_free(&e->y), vec_free(&e->uses), vec_free(&e->values);
  vec_free(&e->trap), vec_free(&e->outputs), vec_free(&e->work);
  vec_free(&e->inside), vec_free(&e->saved);
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

static bool round_weights(Excluder *e) {
  const double *y = lp_weights(e->lp), *traps = lp_trap_weights(e->lp);
  const double tiny = 1e-7;
  vec_clear(&e->values), vec_clear(&e->y), vec_clear(&e->uses);
  for (uint32_t p = 0; p < e->net->place_names.len; p++)
    if (y[p] > tiny) vec_push(&e->values, y[p]);
  for (uint32_t k = 0; k < e->pool->traps.len; k++)
    if (traps[k] > tiny) vec_push(&e->values, traps[k]);
  double scale = find_scale(e->values.data, e->values.len);
  if (scale == 0) return false;
  for (uint32_t p = 0; p < e->net->place_names.len; p++)
    if (y[p] > tiny && nearbyint(y[p] * scale) >= 1)
      vec_push(&e->y, (Tokens){p, (uint32_t)nearbyint(y[p] * scale)});
  for (uint32_t k = 0; k < e->pool->traps.len; k++)
    if (traps[k] > tiny && nearbyint(traps[k] * scale) >= 1)
      vec_push(&e->uses, (TrapUse){k, (uint32_t)nearbyint(traps[k] * scale)});
  return true;
}

/* ---- traps ------------------------------------------------------------------------ */

static void leave(Excluder *e, uint32_t place) {
  if (!e->inside.data[place]) return;
  e->inside.data[place] = 0;
  vec_push(&e->work, place);
}

/* Does firing t always leave a token in the set, given that it takes from `place`? */
static bool keeps(const Excluder *e, uint32_t t, uint32_t place) {
  const NetTransition *x = &e->net->transitions.data[t];
  MarkingView pre = net_pre(e->net, t);
  if (e->outputs.data[t] > 0) return true;
  for (uint32_t i = 0; i < pre.len; i++)
    if (pre.at[i].place == place) return false;
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    Transfer move = e->net->transfers.data[x->transfer + i];
    if (move.from == place) return move.to != NET_NOWHERE && e->inside.data[move.to];
  }
  return true;
}

static void check_transition(Excluder *e, uint32_t t) {
  const NetTransition *x = &e->net->transitions.data[t];
  MarkingView pre = net_pre(e->net, t);
  for (uint32_t i = 0; i < pre.len; i++)
    if (e->inside.data[pre.at[i].place] && !keeps(e, t, pre.at[i].place))
      leave(e, pre.at[i].place);
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    uint32_t from = e->net->transfers.data[x->transfer + i].from;
    if (e->inside.data[from] && !keeps(e, t, from)) leave(e, from);
  }
}

/* Leaves in `inside` the greatest trap within it. */
static void find_trap(Excluder *e) {
  const Net *net = e->net;
  vec_clear(&e->work);
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    MarkingView post = net_post(net, t);
    e->outputs.data[t] = 0;
    for (uint32_t i = 0; i < post.len; i++)
      e->outputs.data[t] += e->inside.data[post.at[i].place];
  }
  for (uint32_t t = 0; t < net->transitions.len; t++) check_transition(e, t);
  /* A place that leaves takes an output from the transitions that put tokens into it;
   * those with more out than in are in `gain`, the others in `take`. */
  while (e->work.len > 0) {
    uint32_t p = vec_pop(&e->work);
    for (int side = 0; side < 2; side++) {
      const uint32_t *starts = side ? net->take_start.data : net->gain_start.data;
      const uint32_t *list = side ? net->take.data : net->gain.data;
      for (uint32_t i = starts[p]; i < starts[p + 1]; i++) {
        uint32_t t = list[i];
        MarkingView post = net_post(net, t);
        e->outputs.data[t] = 0;
        for (uint32_t k = 0; k < post.len; k++)
          e->outputs.data[t] += e->inside.data[post.at[k].place];
        check_transition(e, t);
      }
    }
  }
}

static bool is_marked(const Excluder *e) {
  for (uint32_t p = 0; p < e->net->place_names.len; p++)
    if (e->inside.data[p] && e->net->initial.data[p] > 0) return true;
  return false;
}

/* Smaller traps say more: leave out what can be left out. */
static void shrink_trap(Excluder *e) {
  uint32_t places = e->net->place_names.len, size = 0;
  for (uint32_t p = 0; p < places; p++) size += e->inside.data[p];
  for (uint32_t p = 0; size <= SHRINK_UP_TO && p < places; p++) {
    if (!e->inside.data[p]) continue;
    memcpy(e->saved.data, e->inside.data, places);
    e->inside.data[p] = 0;
    find_trap(e);
    if (!is_marked(e)) memcpy(e->inside.data, e->saved.data, places);
  }
}

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
    for (uint32_t i = 0; i < post.len; i++) m[post.at[i].place] += x[t] * post.at[i].count;
  }
  for (uint32_t p = 0; p < places; p++) e->inside.data[p] = m[p] < 1e-6;
  mem_free(m);
  find_trap(e);
  if (!is_marked(e)) return false;
  shrink_trap(e);
  vec_clear(&e->trap);
  for (uint32_t p = 0; p < places; p++)
    if (e->inside.data[p]) vec_push(&e->trap, p);
  pool_add_trap(e->pool, e->trap.data, e->trap.len);
  lp_add_trap(e->lp, e->trap.data, e->trap.len);
  return true;
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
static bool may_try_traps(Excluder *e, int round) {
  if (e->pool->traps.len >= MOST_TRAPS || round == TRAPS_PER_QUERY) return false;
  if (round > 0) return true;
  if (e->trap_queries > 8 + 4 * e->trap_successes) return false;
  e->trap_queries++;
  return true;
}

static bool take_weights(Excluder *e, MarkingView marking) {
  if (!round_weights(e) || !pool_add(e->pool, (MarkingView){e->y.data, e->y.len},
                                     e->uses.data, e->uses.len, marking))
    return false;
  e->trap_successes += e->uses.len > 0;
  return true;
}

bool excluder_try(Excluder *e, MarkingView marking, uint64_t *cost) {
  for (int round = 0;; round++) {
    uint64_t spent;
    LpAnswer answer = lp_solve(e->lp, marking, milliseconds_left(e->limits), &spent);
    *cost += spent;
    if (answer == LP_GAVE_UP) return false;
    if (answer == LP_EXCLUDED) return take_weights(e, marking);
    if (!may_try_traps(e, round) || !add_empty_trap(e)) return false;
    *cost += (uint64_t)e->net->arcs.len * (e->trap.len + 1);
  }
}
