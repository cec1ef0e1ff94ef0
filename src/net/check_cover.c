/* The checker of covers. Rows are markings over all places, where a loose place holds any
 * number in every row. What is verified: the initial marking is below a row; whatever a
 * transition can do to a row, the result is below a row; no target is below a row. So, by
 * induction over a run, every reachable marking is below a row (firing is monotone), and
 * none is above a target.
 *
 * A row stands for all markings below it. With "any number" in a place, firing takes and
 * adds nothing there, and a transfer moves any number: the results of all markings below
 * the row are below that result. */
#include "net/check.h"

#include "base/mem.h"

typedef struct {
  const Net *net;
  const NetEvidence *e;
  bool *loose;      /* per place */
  Numbers *holders; /* per place: the rows with tokens there */
  uint32_t *row;    /* per place: the row at hand */
  uint32_t *after;  /* per place: what a transition makes of it, if transfers take part */
} Check;

/* Counts saturate just below "any number", which no row and no target names. */
static uint32_t sum(uint32_t a, uint32_t b) {
  if (a == NET_OMEGA || b == NET_OMEGA) return NET_OMEGA;
  return a > NET_OMEGA - 1 - b ? NET_OMEGA - 1 : a + b;
}

static uint32_t less(uint32_t a, uint32_t b) {
  return a == NET_OMEGA ? NET_OMEGA : a - b;
}

static void load(Check *c, uint32_t number) {
  MarkingView m = token_row(&c->e->cover, number);
  for (uint32_t p = 0; p < c->net->place_names.len; p++)
    c->row[p] = c->loose[p] ? NET_OMEGA : 0;
  for (uint32_t i = 0; i < m.len; i++)
    if (!c->loose[m.at[i].place]) c->row[m.at[i].place] = m.at[i].count;
}

static bool is_below_row(const Check *c, MarkingView m, uint32_t number) {
  MarkingView row = token_row(&c->e->cover, number);
  uint32_t k = 0;
  for (uint32_t i = 0; i < m.len; i++) {
    if (c->loose[m.at[i].place]) continue;
    while (k < row.len && row.at[k].place < m.at[i].place) k++;
    if (k == row.len || row.at[k].place != m.at[i].place ||
        row.at[k].count < m.at[i].count)
      return false;
  }
  return true;
}

/* Only rows that hold the place that the fewest rows hold come into question. */
static bool is_below_some(const Check *c, MarkingView m) {
  const Numbers *best = NULL;
  for (uint32_t i = 0; i < m.len; i++) {
    const Numbers *holders = &c->holders[m.at[i].place];
    if (!c->loose[m.at[i].place] && (!best || holders->len < best->len)) best = holders;
  }
  if (!best) return c->e->cover.ends.len > 0;
  for (uint32_t i = 0; i < best->len; i++)
    if (is_below_row(c, m, best->data[i])) return true;
  return false;
}

static bool is_enabled(const Check *c, uint32_t t) {
  MarkingView pre = net_pre(c->net, t);
  for (uint32_t i = 0; i < pre.len; i++)
    if (c->row[pre.at[i].place] < pre.at[i].count) return false;
  return true;
}

/* Does t, fired from the row, leave everything as it is or less? Most do. */
static bool stays(const Check *c, uint32_t t) {
  MarkingView pre = net_pre(c->net, t), post = net_post(c->net, t);
  if (c->net->transitions.data[t].transfer_len > 0) return false;
  for (uint32_t i = 0, k = 0; i < post.len; i++) {
    uint32_t p = post.at[i].place;
    while (k < pre.len && pre.at[k].place < p) k++;
    uint32_t taken = k < pre.len && pre.at[k].place == p ? pre.at[k].count : 0;
    if (c->row[p] != NET_OMEGA && post.at[i].count > taken) return false;
  }
  return true;
}

/* The row after t, as a sorted marking. */
static void fire(Check *c, uint32_t t, Marking *out) {
  const Net *net = c->net;
  const NetTransition *x = &net->transitions.data[t];
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  uint32_t places = net->place_names.len;
  memcpy(c->after, c->row, places * sizeof *c->after);
  for (uint32_t i = 0; i < pre.len; i++)
    c->after[pre.at[i].place] = less(c->after[pre.at[i].place], pre.at[i].count);
  vec_clear(out);
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    uint32_t from = net->transfers.data[x->transfer + i].from;
    vec_push(out, (Tokens){from, c->after[from]});
    c->after[from] = 0;
  }
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    uint32_t to = net->transfers.data[x->transfer + i].to;
    if (to != NET_NOWHERE) c->after[to] = sum(c->after[to], out->data[i].count);
  }
  for (uint32_t i = 0; i < post.len; i++)
    c->after[post.at[i].place] = sum(c->after[post.at[i].place], post.at[i].count);
  vec_clear(out);
  for (uint32_t p = 0; p < places; p++)
    if (c->after[p] > 0) vec_push(out, (Tokens){p, c->after[p]});
}

static bool check_row(Check *c, uint32_t number, Marking *scratch) {
  load(c, number);
  for (uint32_t t = 0; t < c->net->transitions.len; t++) {
    if (!is_enabled(c, t) || stays(c, t)) continue;
    fire(c, t, scratch);
    if (!is_below_some(c, (MarkingView){scratch->data, scratch->len})) return false;
  }
  return true;
}

static bool check_initial(const Check *c, Marking *scratch) {
  vec_clear(scratch);
  for (uint32_t p = 0; p < c->net->place_names.len; p++)
    if (c->net->initial.data[p]) vec_push(scratch, (Tokens){p, c->net->initial.data[p]});
  return is_below_some(c, (MarkingView){scratch->data, scratch->len});
}

static void set_up(Check *c) {
  uint32_t places = c->net->place_names.len;
  const TokenRows *rows = &c->e->cover;
  c->loose = mem_alloc_zero(places + 1);
  c->holders = mem_alloc_zero((places + 1) * sizeof *c->holders);
  c->row = mem_alloc_zero((places + 1) * sizeof *c->row);
  c->after = mem_alloc_zero((places + 1) * sizeof *c->after);
  for (uint32_t i = 0; i < c->e->loose.len; i++) c->loose[c->e->loose.data[i]] = true;
  for (uint32_t n = 0; n < rows->ends.len; n++) {
    MarkingView m = token_row(rows, n);
    for (uint32_t i = 0; i < m.len; i++) vec_push(&c->holders[m.at[i].place], n);
  }
}

static void tear_down(Check *c) {
  for (uint32_t p = 0; p < c->net->place_names.len; p++) vec_free(&c->holders[p]);
  mem_free(c->loose), mem_free(c->holders), mem_free(c->row), mem_free(c->after);
}

static CheckResult fails(Str *why, const char *what, uint32_t number) {
  str_addf(why, "%s %u does not hold", what, number);
  return CHECK_FAILS;
}

CheckResult check_cover(const Net *net, const NetEvidence *e, const NetLimits *limits,
                        Str *why) {
  Check c = {.net = net, .e = e};
  Marking scratch = {0};
  CheckResult result = CHECK_HOLDS;
  set_up(&c);
  if (!check_initial(&c, &scratch)) result = fails(why, "the initial marking: cover", 0);
  for (uint32_t i = 0; result == CHECK_HOLDS && i < net->targets.len; i++)
    if (is_below_some(&c, net_target(net, i))) result = fails(why, "target", i);
  for (uint32_t n = 0; result == CHECK_HOLDS && n < e->cover.ends.len; n++) {
    if (!check_row(&c, n, &scratch)) result = fails(why, "cover", n);
    if (n % 16 == 15 && result == CHECK_HOLDS && net_time_is_up(limits))
      result = CHECK_UNFINISHED;
  }
  vec_free(&scratch);
  tear_down(&c);
  return result;
}
