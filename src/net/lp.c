/* See lp.h, over GLPK.
 *
 * The program is the state equation made elastic: minimise the sum of the shortfalls s,
 *
 *     C·x + s  >=  m - M0             one row per place (1 + p)
 *     the sum of that over a trap  >=  1 - M0(trap) - its own shortfall
 *
 * with x >= 0 per transition, w >= 0 per transfer arc (any number of tokens may move) and
 * s >= 0. If the minimum is above zero, the dual values of the rows are the multipliers:
 * between 0 and 1 because each shortfall costs 1, and no column of C can gain by them. A
 * place that starts with any number of tokens has no row. Places are fewer than
 * transitions as a rule, so the basis is small; only right-hand sides change between two
 * markings, so the dual simplex method goes on where it stopped. */
#include "net/lp.h"

#include "base/mem.h"

#include <glpk.h>
#include <setjmp.h>

struct Lp {
  const Net *net;
  glp_prob *problem;
  bool broken;
  VEC(double) weights, traps, firings;
  VEC(Tokens) last;                /* the marking that the right-hand sides belong to */
  Numbers trap_places, trap_start; /* flat lists, one more start than traps */
  jmp_buf out; /* GLPK ends the process on errors unless its hook jumps away */
};

static void on_error(void *user) {
  Lp *lp = user;
  longjmp(lp->out, 1);
}

static bool is_endless(const Lp *lp, uint32_t place) {
  return lp->net->initial.data[place] == NET_OMEGA;
}

/* ---- the matrix ------------------------------------------------------------------- */

typedef struct {
  VEC(int) rows, columns;
  VEC(double) values;
} Matrix;

static void put(Matrix *m, uint32_t row, uint32_t column, double value) {
  vec_push(&m->rows, (int)row);
  vec_push(&m->columns, (int)column);
  vec_push(&m->values, value);
}

static void put_transition(Matrix *m, const Net *net, uint32_t t) {
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  for (uint32_t i = 0, j = 0; i < pre.len || j < post.len;) {
    if (j == post.len || (i < pre.len && pre.at[i].place < post.at[j].place)) {
      put(m, pre.at[i].place + 1, t + 1, -(double)pre.at[i].count);
      i++;
    } else if (i == pre.len || post.at[j].place < pre.at[i].place) {
      put(m, post.at[j].place + 1, t + 1, post.at[j].count);
      j++;
    } else {
      if (pre.at[i].count != post.at[j].count)
        put(m, pre.at[i].place + 1, t + 1, (double)post.at[j].count - pre.at[i].count);
      i++, j++;
    }
  }
}

static void build(Lp *lp) {
  const Net *net = lp->net;
  uint32_t places = net->place_names.len, columns = net->transitions.len;
  Matrix m = {0};
  put(&m, 0, 0, 0); /* GLPK counts from 1 */
  for (uint32_t t = 0; t < net->transitions.len; t++) put_transition(&m, net, t);
  for (uint32_t i = 0; i < net->transfers.len; i++) {
    Transfer x = net->transfers.data[i];
    put(&m, x.from + 1, ++columns, -1);
    if (x.to != NET_NOWHERE) put(&m, x.to + 1, columns, 1);
  }
  uint32_t moves = columns;
  for (uint32_t p = 0; p < places; p++) put(&m, p + 1, ++columns, 1);
  glp_add_rows(lp->problem, (int)places);
  glp_add_cols(lp->problem, (int)columns);
  for (uint32_t c = 1; c <= columns; c++) {
    glp_set_col_bnds(lp->problem, (int)c, GLP_LO, 0, 0);
    if (c > moves) glp_set_obj_coef(lp->problem, (int)c, 1);
  }
  for (uint32_t p = 0; p < places; p++)
    glp_set_row_bnds(lp->problem, (int)p + 1, is_endless(lp, p) ? GLP_FR : GLP_LO,
                     -(double)net->initial.data[p], 0);
  glp_load_matrix(lp->problem, (int)m.rows.len - 1, m.rows.data, m.columns.data,
                  m.values.data);
  glp_std_basis(lp->problem);
  vec_free(&m.rows), vec_free(&m.columns), vec_free(&m.values);
}

Lp *lp_new(const Net *net) {
  Lp *lp = mem_alloc_zero(sizeof *lp);
  lp->net = net;
  vec_push(&lp->trap_start, 0);
  lp->broken = net->transitions.len == 0 || net->place_names.len == 0;
  if (lp->broken) return lp;
  glp_term_out(GLP_OFF);
  glp_error_hook(on_error, lp);
  if (setjmp(lp->out) == 0) {
    lp->problem = glp_create_prob();
    glp_set_obj_dir(lp->problem, GLP_MIN);
    build(lp);
  } else {
    lp->broken = true;
  }
  return lp;
}

void lp_free(Lp *lp) {
  if (!lp) return;
  if (lp->problem && !lp->broken) glp_delete_prob(lp->problem);
  vec_free(&lp->weights), vec_free(&lp->traps), vec_free(&lp->firings);
  vec_free(&lp->last);
  vec_free(&lp->trap_places), vec_free(&lp->trap_start);
  mem_free(lp);
  glp_error_hook(NULL, NULL);
}

/* ---- traps ------------------------------------------------------------------------ */

/* Adds up the rows of the places of a trap. */
static void sum_rows(Lp *lp, const uint32_t *places, uint32_t len, int row, int column) {
  int columns = glp_get_num_cols(lp->problem), found = 0;
  double *sum = mem_alloc_zero(((size_t)columns + 1) * sizeof *sum);
  int *at = mem_alloc(((size_t)columns + 1) * sizeof *at);
  double *values = mem_alloc(((size_t)columns + 1) * sizeof *values);
  for (uint32_t i = 0; i < len; i++) {
    int n = glp_get_mat_row(lp->problem, (int)places[i] + 1, at, values);
    for (int k = 1; k <= n; k++)
      if (glp_get_obj_coef(lp->problem, at[k]) == 0) sum[at[k]] += values[k];
  }
  sum[column] = 1; /* its own shortfall */
  for (int c = 1; c <= columns; c++)
    if (sum[c] != 0) {
      at[++found] = c;
      values[found] = sum[c];
    }
  glp_set_mat_row(lp->problem, row, found, at, values);
  mem_free(sum), mem_free(at), mem_free(values);
}

static double initial_sum(const Lp *lp, const uint32_t *places, uint32_t len) {
  double sum = 0;
  for (uint32_t i = 0; i < len; i++) sum += lp->net->initial.data[places[i]];
  return sum;
}

void lp_add_trap(Lp *lp, const uint32_t *places, uint32_t len) {
  for (uint32_t i = 0; i < len; i++) vec_push(&lp->trap_places, places[i]);
  vec_push(&lp->trap_start, lp->trap_places.len);
  if (lp->broken) return;
  glp_error_hook(on_error, lp);
  if (setjmp(lp->out) != 0) {
    lp->broken = true;
    return;
  }
  int row = glp_add_rows(lp->problem, 1), column = glp_add_cols(lp->problem, 1);
  glp_set_col_bnds(lp->problem, column, GLP_LO, 0, 0);
  glp_set_obj_coef(lp->problem, column, 1);
  glp_set_row_bnds(lp->problem, row, GLP_LO, 1 - initial_sum(lp, places, len), 0);
  sum_rows(lp, places, len, row, column);
}

/* ---- solving ---------------------------------------------------------------------- */

static void demand(Lp *lp, uint32_t place, uint32_t count) {
  if (!is_endless(lp, place))
    glp_set_row_bnds(lp->problem, (int)place + 1, GLP_LO,
                     (double)count - lp->net->initial.data[place], 0);
}

static void set_demands(Lp *lp, MarkingView m) {
  for (uint32_t i = 0; i < lp->last.len; i++) demand(lp, lp->last.data[i].place, 0);
  vec_clear(&lp->last);
  for (uint32_t i = 0; i < m.len; i++) {
    demand(lp, m.at[i].place, m.at[i].count);
    vec_push(&lp->last, m.at[i]);
  }
}

/* A place's weight is the multiplier of its own row and of the traps it lies in. */
static void fetch(Lp *lp) {
  uint32_t places = lp->net->place_names.len;
  vec_clear(&lp->weights), vec_clear(&lp->traps), vec_clear(&lp->firings);
  for (uint32_t p = 0; p < places; p++)
    vec_push(&lp->weights, glp_get_row_dual(lp->problem, (int)p + 1));
  for (uint32_t k = 0; k + 1 < lp->trap_start.len; k++) {
    double multiple = glp_get_row_dual(lp->problem, (int)(places + k) + 1);
    vec_push(&lp->traps, multiple);
    for (uint32_t i = lp->trap_start.data[k]; i < lp->trap_start.data[k + 1]; i++)
      lp->weights.data[lp->trap_places.data[i]] += multiple;
  }
  for (uint32_t t = 0; t < lp->net->transitions.len; t++)
    vec_push(&lp->firings, glp_get_col_prim(lp->problem, (int)t + 1));
}

LpAnswer lp_solve(Lp *lp, MarkingView marking, uint32_t milliseconds,
                  uint64_t *ret_cost) {
  *ret_cost = 1;
  if (lp->broken) return LP_GAVE_UP;
  glp_error_hook(on_error, lp);
  if (setjmp(lp->out) != 0) {
    lp->broken = true;
    return LP_GAVE_UP;
  }
  glp_smcp options;
  glp_init_smcp(&options);
  options.msg_lev = GLP_MSG_OFF;
  options.meth = GLP_DUALP;
  options.tm_lim = milliseconds > 1 ? (int)milliseconds : 1;
  /* The first solution starts from nothing, and the presolver makes chains short. */
  options.presolve = glp_get_it_cnt(lp->problem) == 0 ? GLP_ON : GLP_OFF;
  set_demands(lp, marking);
  int before = glp_get_it_cnt(lp->problem);
  int failed = glp_simplex(lp->problem, &options);
  if (failed == GLP_EBADB || failed == GLP_ESING || failed == GLP_ECOND ||
      failed == GLP_EFAIL) {
    glp_std_basis(lp->problem);
    failed = glp_simplex(lp->problem, &options);
  }
  uint64_t iterations = (uint64_t)(glp_get_it_cnt(lp->problem) - before);
  *ret_cost += (iterations + 8) * (lp->net->arcs.len + 100) / 4;
  if (failed || glp_get_status(lp->problem) != GLP_OPT) return LP_GAVE_UP;
  fetch(lp);
  return glp_get_obj_val(lp->problem) > 1e-6 ? LP_EXCLUDED : LP_FEASIBLE;
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
