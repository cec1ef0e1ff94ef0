/* See lp.h, over Clp.
 *
 * The program is the state equation made elastic: minimise the sum of the shortfalls s,
 *
 *     C·x + s  >=  m - M0             one row per place
 *     the sum of that over a trap  >=  1 - M0(trap) - its own shortfall
 *
 * with x >= 0 per transition, w >= 0 per transfer arc (any number of tokens may move) and
 * s >= 0. If the minimum is above zero, the dual values of the rows are the multipliers:
 * between 0 and 1 because each shortfall costs 1, and no column of C can gain by them. A
 * place that starts with any number of tokens has no bound. Places are fewer than
 * transitions as a rule, so the basis is small; only right-hand sides change between two
 * markings, so the dual simplex method goes on where it stopped. Places without arcs, of
 * which a net that places were fused out of has many, have no row unless a target names
 * them. Transitions that may not fire have 0 as upper bound. */
#include "net/lp.h"

#include "base/mem.h"
#include "net/simplex.h"

#include <assert.h>
#include <float.h>

bool lp_prepare(Err *err) {
  (void)err;
  return true;
}

struct Lp {
  const Net *net;
  Clp_Simplex *model; /* NULL when there is nothing to solve */
  Numbers row_of;     /* per place: its row, or NET_NONE */
  uint32_t rows;      /* of places; those of traps come after */
  VEC(double) weights, traps, firings;
  VEC(Tokens) last;                /* the marking that the right-hand sides belong to */
  Numbers trap_places, trap_start; /* flat lists, one more start than traps */
};

/* ---- the matrix, by columns ------------------------------------------------------- */

typedef struct {
  VEC(CoinBigIndex) starts;
  VEC(int) rows;
  VEC(double) values;
} Columns;

static void put(Columns *c, uint32_t row, double value) {
  assert(row != NET_NONE);
  vec_push(&c->rows, (int)row);
  vec_push(&c->values, value);
}

static void end_column(Columns *c) {
  vec_push(&c->starts, (CoinBigIndex)c->rows.len);
}

static void put_transition(Columns *c, const Lp *lp, uint32_t t) {
  const Net *net = lp->net;
  const uint32_t *row = lp->row_of.data;
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  for (uint32_t i = 0, j = 0; i < pre.len || j < post.len;) {
    if (j == post.len || (i < pre.len && pre.at[i].place < post.at[j].place)) {
      put(c, row[pre.at[i].place], -(double)pre.at[i].count);
      i++;
    } else if (i == pre.len || post.at[j].place < pre.at[i].place) {
      put(c, row[post.at[j].place], post.at[j].count);
      j++;
    } else {
      if (pre.at[i].count != post.at[j].count)
        put(c, row[pre.at[i].place], (double)post.at[j].count - pre.at[i].count);
      i++, j++;
    }
  }
}

static double bound_of(const Net *net, uint32_t place, double count) {
  return net->initial.data[place] == NET_OMEGA ? -DBL_MAX
                                               : count - net->initial.data[place];
}

static void give_rows(Lp *lp, MarkingView m) {
  for (uint32_t i = 0; i < m.len; i++) lp->row_of.data[m.at[i].place] = 0;
}

static void number_rows(Lp *lp) {
  const Net *net = lp->net;
  uint32_t places = net->place_names.len;
  (void)vec_extend(&lp->row_of, places);
  for (uint32_t p = 0; p < places; p++) lp->row_of.data[p] = NET_NONE;
  give_rows(lp, (MarkingView){net->arcs.data, net->arcs.len});
  give_rows(lp, (MarkingView){net->target_tokens.data, net->target_tokens.len});
  for (uint32_t i = 0; i < net->transfers.len; i++) {
    lp->row_of.data[net->transfers.data[i].from] = 0;
    if (net->transfers.data[i].to != NET_NOWHERE)
      lp->row_of.data[net->transfers.data[i].to] = 0;
  }
  for (uint32_t p = 0; p < places; p++)
    if (lp->row_of.data[p] != NET_NONE) lp->row_of.data[p] = lp->rows++;
}

static void build(Lp *lp) {
  const Net *net = lp->net;
  Columns c = {0};
  VEC(double) lower = {0}, upper = {0}, cost = {0}, row_lower = {0}, row_upper = {0};
  end_column(&c);
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    put_transition(&c, lp, t);
    end_column(&c);
  }
  for (uint32_t i = 0; i < net->transfers.len; i++) {
    Transfer x = net->transfers.data[i];
    put(&c, lp->row_of.data[x.from], -1);
    if (x.to != NET_NOWHERE) put(&c, lp->row_of.data[x.to], 1);
    end_column(&c);
  }
  uint32_t moves = c.starts.len - 1;
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    if (lp->row_of.data[p] == NET_NONE) continue;
    put(&c, lp->row_of.data[p], 1);
    end_column(&c);
    vec_push(&row_lower, bound_of(net, p, 0));
    vec_push(&row_upper, DBL_MAX);
  }
  for (uint32_t i = 0; i + 1 < c.starts.len; i++) {
    vec_push(&lower, 0);
    vec_push(&upper, DBL_MAX);
    vec_push(&cost, i >= moves);
  }
  Clp_loadProblem(lp->model, (int)c.starts.len - 1, (int)lp->rows, c.starts.data,
                  c.rows.data, c.values.data, lower.data, upper.data, cost.data,
                  row_lower.data, row_upper.data);
  vec_free(&c.starts), vec_free(&c.rows), vec_free(&c.values);
  vec_free(&lower), vec_free(&upper), vec_free(&cost);
  vec_free(&row_lower), vec_free(&row_upper);
}

Lp *lp_new(const Net *net) {
  Lp *lp = mem_alloc_zero(sizeof *lp);
  lp->net = net;
  vec_push(&lp->trap_start, 0);
  if (net->transitions.len == 0 || net->place_names.len == 0) return lp;
  lp->model = Clp_newModel();
  Clp_setLogLevel(lp->model, 0);
  number_rows(lp);
  build(lp);
  return lp;
}

void lp_free(Lp *lp) {
  if (!lp) return;
  if (lp->model) Clp_deleteModel(lp->model);
  vec_free(&lp->weights), vec_free(&lp->traps), vec_free(&lp->firings);
  vec_free(&lp->last), vec_free(&lp->row_of);
  vec_free(&lp->trap_places), vec_free(&lp->trap_start);
  mem_free(lp);
}

/* ---- traps ------------------------------------------------------------------------ */

typedef struct {
  VEC(int) columns;
  VEC(double) values;
} Row;

static void put_sum(Row *row, uint32_t column, double sum) {
  if (sum == 0) return;
  vec_push(&row->columns, (int)column);
  vec_push(&row->values, sum);
}

/* The sum of the rows of the places inside, over transitions and transfers. */
static void sum_rows(const Net *net, const uint8_t *inside, Row *row) {
  uint32_t column = 0;
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    MarkingView pre = net_pre(net, t), post = net_post(net, t);
    double sum = 0;
    for (uint32_t i = 0; i < pre.len; i++)
      if (inside[pre.at[i].place]) sum -= pre.at[i].count;
    for (uint32_t i = 0; i < post.len; i++)
      if (inside[post.at[i].place]) sum += post.at[i].count;
    put_sum(row, column++, sum);
  }
  for (uint32_t i = 0; i < net->transfers.len; i++) {
    Transfer x = net->transfers.data[i];
    put_sum(row, column++,
            (x.to != NET_NOWHERE && inside[x.to] ? 1.0 : 0.0) - inside[x.from]);
  }
}

void lp_add_trap(Lp *lp, const uint32_t *places, uint32_t len) {
  const Net *net = lp->net;
  uint8_t *inside = mem_alloc_zero(net->place_names.len + 1);
  double lower = 1, upper = DBL_MAX, zero = 0, one = 1;
  Row row = {0};
  for (uint32_t i = 0; i < len; i++) {
    vec_push(&lp->trap_places, places[i]);
    lower -= net->initial.data[places[i]];
    inside[places[i]] = 1;
  }
  vec_push(&lp->trap_start, lp->trap_places.len);
  if (lp->model) {
    sum_rows(net, inside, &row);
    CoinBigIndex starts[2] = {0, (CoinBigIndex)row.columns.len};
    CoinBigIndex ends[2] = {0, 1};
    int number = Clp_numberRows(lp->model);
    Clp_addRows(lp->model, 1, &lower, &upper, starts, row.columns.data, row.values.data);
    Clp_addColumns(lp->model, 1, &zero, &upper, &one, ends, &number, &one);
  }
  vec_free(&row.columns), vec_free(&row.values);
  mem_free(inside);
}

/* ---- solving ---------------------------------------------------------------------- */

void lp_restrict(Lp *lp, const uint8_t *alive) {
  if (!lp->model) return;
  double *upper = Clp_columnUpper(lp->model);
  for (uint32_t t = 0; t < lp->net->transitions.len; t++)
    upper[t] = !alive || alive[t] ? DBL_MAX : 0;
}

static void set_demands(Lp *lp, MarkingView m) {
  double *lower = Clp_rowLower(lp->model);
  const uint32_t *row = lp->row_of.data;
  for (uint32_t i = 0; i < lp->last.len; i++)
    lower[row[lp->last.data[i].place]] = bound_of(lp->net, lp->last.data[i].place, 0);
  vec_clear(&lp->last);
  for (uint32_t i = 0; i < m.len; i++) {
    lower[row[m.at[i].place]] = bound_of(lp->net, m.at[i].place, m.at[i].count);
    vec_push(&lp->last, m.at[i]);
  }
}

/* A place's weight is the multiplier of its own row and of the traps it lies in. */
static void fetch(Lp *lp) {
  uint32_t places = lp->net->place_names.len;
  const double *duals = Clp_dualRowSolution(lp->model);
  const double *firings = Clp_primalColumnSolution(lp->model);
  vec_clear(&lp->weights), vec_clear(&lp->traps), vec_clear(&lp->firings);
  for (uint32_t p = 0; p < places; p++) {
    uint32_t row = lp->row_of.data[p];
    vec_push(&lp->weights, row == NET_NONE ? 0 : duals[row]);
  }
  for (uint32_t k = 0; k + 1 < lp->trap_start.len; k++) {
    vec_push(&lp->traps, duals[lp->rows + k]);
    for (uint32_t i = lp->trap_start.data[k]; i < lp->trap_start.data[k + 1]; i++)
      lp->weights.data[lp->trap_places.data[i]] += duals[lp->rows + k];
  }
  for (uint32_t t = 0; t < lp->net->transitions.len; t++)
    vec_push(&lp->firings, firings[t]);
}

LpAnswer lp_solve(Lp *lp, MarkingView marking, uint64_t budget, uint32_t milliseconds,
                  uint64_t *cost) {
  if (!lp->model) return LP_GAVE_UP;
  set_demands(lp, marking);
  switch (simplex_run(lp->model, lp->net->arcs.len, budget, milliseconds, cost)) {
  case SIMPLEX_FAILED: return LP_GAVE_UP;
  case SIMPLEX_PAUSED: return LP_PAUSED;
  default: break;
  }
  fetch(lp);
  return Clp_objectiveValue(lp->model) > 1e-6 ? LP_EXCLUDED : LP_FEASIBLE;
}

const double *lp_weights(Lp *lp) {
  return lp->weights.data;
}

const double *lp_trap_weights(Lp *lp) {
  return lp->traps.data;
}

const double *lp_firings(Lp *lp) {
  return lp->firings.data;
}
