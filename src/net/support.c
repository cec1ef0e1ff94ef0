/* See support.h, over Clp. Multiples of a solution have the same transitions, so the
 * program is
 *
 *     maximise the sum of z    with  C·(z + w)  >=  v·(m - M0),
 *     0 <= z <= 1,  w >= 0  per transition,  v >= 1.
 *
 * In the optimum each z is 0 or 1, and 1 for whatever can fire: a solution where it does
 * could be added, and everything be multiplied until it is 1. Its dual values are y:
 * since w has no upper bound, no column gains by them, a z that stays 0 although it is
 * wanted loses, and v stays small only if m - M0 gains nothing. */
#include "net/support.h"

#include "base/mem.h"
#include "net/simplex.h"

#include <float.h>

struct Support {
  const Net *net;
  Clp_Simplex *model;
  Numbers row_of, place_of; /* place to row, or NET_NONE, and back */
  VEC(double) weights, dense;
};

typedef struct {
  VEC(CoinBigIndex) starts;
  VEC(int) rows;
  VEC(double) values;
} Columns;

static void number_rows(Support *s) {
  const Net *net = s->net;
  (void)vec_extend(&s->row_of, net->place_names.len + 1);
  for (uint32_t i = 0; i < net->arcs.len; i++)
    s->row_of.data[net->arcs.data[i].place] = 1;
  for (uint32_t i = 0; i < net->target_tokens.len; i++)
    s->row_of.data[net->target_tokens.data[i].place] = 1;
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    bool used = s->row_of.data[p];
    s->row_of.data[p] = used ? s->place_of.len : NET_NONE;
    if (used) vec_push(&s->place_of, p);
  }
}

/* What t adds to each place, by way of `dense`, which is zero before and after. */
static void put_transition(Support *s, Columns *c, uint32_t t) {
  MarkingView pre = net_pre(s->net, t), post = net_post(s->net, t);
  for (uint32_t i = 0; i < post.len; i++)
    s->dense.data[post.at[i].place] = post.at[i].count;
  for (uint32_t i = 0; i < pre.len; i++)
    s->dense.data[pre.at[i].place] -= pre.at[i].count;
  for (uint32_t k = 0; k < 2; k++) {
    MarkingView arcs = k ? pre : post;
    for (uint32_t i = 0; i < arcs.len; i++) {
      double *change = &s->dense.data[arcs.at[i].place];
      if (*change == 0) continue;
      vec_push(&c->rows, (int)s->row_of.data[arcs.at[i].place]);
      vec_push(&c->values, *change);
      *change = 0;
    }
  }
  vec_push(&c->starts, (CoinBigIndex)c->rows.len);
}

/* Columns: z of every transition, then w; v is added with each marking. */
static void build(Support *s) {
  uint32_t transitions = s->net->transitions.len, rows = s->place_of.len;
  Columns c = {0};
  VEC(double) lower = {0}, upper = {0}, cost = {0}, row_lower = {0}, row_upper = {0};
  vec_push(&c.starts, 0);
  for (uint32_t i = 0; i < 2 * transitions; i++) {
    bool counted = i < transitions;
    put_transition(s, &c, counted ? i : i - transitions);
    vec_push(&lower, 0);
    vec_push(&upper, counted ? 1 : DBL_MAX);
    vec_push(&cost, counted ? -1 : 0);
  }
  for (uint32_t i = 0; i < rows; i++) {
    vec_push(&row_lower, 0);
    vec_push(&row_upper, DBL_MAX);
  }
  Clp_loadProblem(s->model, (int)(2 * transitions), (int)rows, c.starts.data, c.rows.data,
                  c.values.data, lower.data, upper.data, cost.data, row_lower.data,
                  row_upper.data);
  vec_free(&c.starts), vec_free(&c.rows), vec_free(&c.values);
  vec_free(&lower), vec_free(&upper), vec_free(&cost);
  vec_free(&row_lower), vec_free(&row_upper);
}

Support *support_new(const Net *net) {
  if (net->has_transfers || net->transitions.len == 0 || net->place_names.len == 0)
    return NULL;
  Support *s = mem_alloc_zero(sizeof *s);
  s->net = net;
  (void)vec_extend(&s->dense, net->place_names.len);
  (void)vec_extend(&s->weights, net->place_names.len);
  number_rows(s);
  s->model = Clp_newModel();
  Clp_setLogLevel(s->model, 0);
  build(s);
  return s;
}

void support_free(Support *s) {
  if (!s) return;
  Clp_deleteModel(s->model);
  vec_free(&s->row_of), vec_free(&s->place_of);
  vec_free(&s->weights), vec_free(&s->dense);
  mem_free(s);
}

/* The column of v: M0 - m. */
static void set_marking(Support *s, MarkingView m) {
  const Net *net = s->net;
  int last = (int)(2 * net->transitions.len);
  const double lower = 1, upper = DBL_MAX, cost = 0;
  Columns c = {0};
  if (Clp_numberColumns(s->model) > last) Clp_deleteColumns(s->model, 1, &last);
  for (uint32_t i = 0; i < m.len; i++) s->dense.data[m.at[i].place] = m.at[i].count;
  for (uint32_t row = 0; row < s->place_of.len; row++) {
    uint32_t p = s->place_of.data[row];
    double more = (double)net->initial.data[p] - s->dense.data[p];
    if (more == 0) continue;
    vec_push(&c.rows, (int)row);
    vec_push(&c.values, more);
  }
  for (uint32_t i = 0; i < m.len; i++) s->dense.data[m.at[i].place] = 0;
  CoinBigIndex starts[2] = {0, (CoinBigIndex)c.rows.len};
  Clp_addColumns(s->model, 1, &lower, &upper, &cost, starts, c.rows.data, c.values.data);
  vec_free(&c.rows), vec_free(&c.values);
}

bool support_solve(Support *s, MarkingView marking, const uint8_t *alive, uint64_t budget,
                   uint32_t milliseconds, uint64_t *cost) {
  uint32_t transitions = s->net->transitions.len;
  set_marking(s, marking);
  double *upper = Clp_columnUpper(s->model);
  for (uint32_t t = 0; t < transitions; t++) {
    upper[t] = alive[t] ? 1 : 0;
    upper[transitions + t] = alive[t] ? DBL_MAX : 0;
  }
  if (simplex_run(s->model, 2 * (uint64_t)s->net->arcs.len, budget, milliseconds, cost) !=
      SIMPLEX_SOLVED)
    return false;
  const double *duals = Clp_dualRowSolution(s->model);
  for (uint32_t row = 0; row < s->place_of.len; row++)
    s->weights.data[s->place_of.data[row]] = duals[row];
  return true;
}

const double *support_weights(const Support *s) {
  return s->weights.data;
}
