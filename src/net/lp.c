/* See lp.h, over GLPK. Columns are the places (1 + p), then the traps; rows are the
 * transitions (1 + t): sum over p of C(p, t)·y(p) <= 0, then one per transfer arc,
 * y(to) - y(from) <= 0, then one per place of a trap, y(p) - its traps >= 0. */
#include "net/lp.h"

#include "base/mem.h"

#include <glpk.h>
#include <setjmp.h>

struct Lp {
  const Net *net;
  glp_prob *problem;
  bool broken;
  VEC(double) weights, traps, firings;
  VEC(Tokens) last; /* the marking that the objective belongs to */
  VEC(uint32_t) trap_row; /* per place: its row 1 + r, or 0 */
  VEC(uint32_t) trap_places, trap_start; /* flat lists, one more start than traps */
  jmp_buf out; /* GLPK ends the process on errors unless its hook jumps away */
};

static void on_error(void *user) {
  Lp *lp = user;
  longjmp(lp->out, 1);
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
      put(m, t + 1, pre.at[i].place + 1, -(double)pre.at[i].count);
      i++;
    } else if (i == pre.len || post.at[j].place < pre.at[i].place) {
      put(m, t + 1, post.at[j].place + 1, post.at[j].count);
      j++;
    } else {
      if (pre.at[i].count != post.at[j].count)
        put(m, t + 1, pre.at[i].place + 1, (double)post.at[j].count - pre.at[i].count);
      i++, j++;
    }
  }
}

static uint32_t put_transfers(Matrix *m, const Net *net, uint32_t rows) {
  for (uint32_t i = 0; i < net->transfers.len; i++) {
    Transfer x = net->transfers.data[i];
    if (x.to == NET_NOWHERE) continue;
    put(m, ++rows, x.to + 1, 1);
    put(m, rows, x.from + 1, -1);
  }
  return rows;
}

static void build(Lp *lp) {
  const Net *net = lp->net;
  uint32_t places = net->place_names.len, rows = net->transitions.len;
  Matrix m = {0};
  put(&m, 0, 0, 0); /* GLPK counts from 1 */
  for (uint32_t t = 0; t < net->transitions.len; t++) put_transition(&m, net, t);
  rows = put_transfers(&m, net, rows);
  glp_add_rows(lp->problem, (int)rows);
  glp_add_cols(lp->problem, (int)places);
  for (uint32_t r = 1; r <= rows; r++) glp_set_row_bnds(lp->problem, (int)r, GLP_UP, 0, 0);
  for (uint32_t p = 0; p < places; p++) {
    bool omega = net->initial.data[p] == NET_OMEGA;
    glp_set_col_bnds(lp->problem, (int)p + 1, omega ? GLP_FX : GLP_DB, 0, omega ? 0 : 1);
    if (!omega) glp_set_obj_coef(lp->problem, (int)p + 1, -(double)net->initial.data[p]);
  }
  glp_load_matrix(lp->problem, (int)m.rows.len - 1, m.rows.data, m.columns.data,
                  m.values.data);
  glp_std_basis(lp->problem);
  vec_free(&m.rows), vec_free(&m.columns), vec_free(&m.values);
}

Lp *lp_new(const Net *net) {
  Lp *lp = mem_alloc_zero(sizeof *lp);
  lp->net = net;
  vec_push(&lp->trap_start, 0);
  if (net->place_names.len > 0) (void)vec_extend(&lp->trap_row, net->place_names.len);
  lp->broken = net->transitions.len == 0 || net->place_names.len == 0;
  if (lp->broken) return lp;
  glp_term_out(GLP_OFF);
  glp_error_hook(on_error, lp);
  if (setjmp(lp->out) == 0) {
    lp->problem = glp_create_prob();
    glp_set_obj_dir(lp->problem, GLP_MAX);
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
  vec_free(&lp->last), vec_free(&lp->trap_row);
  vec_free(&lp->trap_places), vec_free(&lp->trap_start);
  mem_free(lp);
  glp_error_hook(NULL, NULL);
}

/* ---- traps ------------------------------------------------------------------------ */

static int row_of_place(Lp *lp, uint32_t place) {
  uint32_t *row = &lp->trap_row.data[place];
  if (*row == 0) {
    *row = (uint32_t)glp_add_rows(lp->problem, 1);
    int columns[] = {0, (int)place + 1};
    double values[] = {0, 1};
    glp_set_row_bnds(lp->problem, (int)*row, GLP_LO, 0, 0);
    glp_set_mat_row(lp->problem, (int)*row, 1, columns, values);
  }
  return (int)*row;
}

void lp_add_trap(Lp *lp, const uint32_t *places, uint32_t len) {
  VEC(int) rows = {0};
  VEC(double) values = {0};
  for (uint32_t i = 0; i < len; i++) vec_push(&lp->trap_places, places[i]);
  vec_push(&lp->trap_start, lp->trap_places.len);
  if (lp->broken) return;
  glp_error_hook(on_error, lp);
  if (setjmp(lp->out) == 0) {
    vec_push(&rows, 0), vec_push(&values, 0);
    for (uint32_t i = 0; i < len; i++) {
      vec_push(&rows, row_of_place(lp, places[i]));
      vec_push(&values, -1);
    }
    int column = glp_add_cols(lp->problem, 1);
    glp_set_col_bnds(lp->problem, column, GLP_DB, 0, 1);
    glp_set_mat_col(lp->problem, column, (int)len, rows.data, values.data);
  } else {
    lp->broken = true;
  }
  vec_free(&rows), vec_free(&values);
}

/* ---- solving ---------------------------------------------------------------------- */

static void set_objective(Lp *lp, MarkingView m) {
  const Net *net = lp->net;
  for (uint32_t i = 0; i < lp->last.len; i++) {
    uint32_t p = lp->last.data[i].place;
    if (net->initial.data[p] != NET_OMEGA)
      glp_set_obj_coef(lp->problem, (int)p + 1, -(double)net->initial.data[p]);
  }
  vec_clear(&lp->last);
  for (uint32_t i = 0; i < m.len; i++) {
    uint32_t p = m.at[i].place;
    vec_push(&lp->last, m.at[i]);
    if (net->initial.data[p] != NET_OMEGA)
      glp_set_obj_coef(lp->problem, (int)p + 1,
                       (double)m.at[i].count - net->initial.data[p]);
  }
  for (uint32_t k = 0; k + 1 < lp->trap_start.len; k++) {
    double gain = 1;
    for (uint32_t i = lp->trap_start.data[k]; i < lp->trap_start.data[k + 1]; i++)
      for (uint32_t j = 0; j < m.len; j++)
        if (m.at[j].place == lp->trap_places.data[i]) gain -= m.at[j].count;
    glp_set_obj_coef(lp->problem, (int)(net->place_names.len + k) + 1, gain);
  }
}

static void fetch(Lp *lp) {
  vec_clear(&lp->weights), vec_clear(&lp->traps), vec_clear(&lp->firings);
  for (uint32_t p = 0; p < lp->net->place_names.len; p++)
    vec_push(&lp->weights, glp_get_col_prim(lp->problem, (int)p + 1));
  for (uint32_t k = 0; k + 1 < lp->trap_start.len; k++)
    vec_push(&lp->traps,
             glp_get_col_prim(lp->problem, (int)(lp->net->place_names.len + k) + 1));
  for (uint32_t t = 0; t < lp->net->transitions.len; t++)
    vec_push(&lp->firings, glp_get_row_dual(lp->problem, (int)t + 1));
}

LpAnswer lp_solve(Lp *lp, MarkingView marking, uint32_t milliseconds,
                  uint64_t *ret_cost) {
  volatile LpAnswer answer = LP_GAVE_UP;
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
  options.meth = GLP_PRIMAL;
  options.tm_lim = milliseconds > 1 ? (int)milliseconds : 1;
  set_objective(lp, marking);
  int before = glp_get_it_cnt(lp->problem);
  int failed = glp_simplex(lp->problem, &options);
  if (failed == GLP_EBADB || failed == GLP_ESING || failed == GLP_ECOND ||
      failed == GLP_EFAIL) {
    glp_std_basis(lp->problem);
    failed = glp_simplex(lp->problem, &options);
  }
  uint64_t iterations = (uint64_t)(glp_get_it_cnt(lp->problem) - before);
  *ret_cost += (iterations + 1) * (lp->net->place_names.len + lp->net->transitions.len) / 16;
  if (!failed && glp_get_status(lp->problem) == GLP_OPT) {
    fetch(lp);
    answer = glp_get_obj_val(lp->problem) > 1e-6 ? LP_EXCLUDED : LP_FEASIBLE;
  }
  return answer;
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
