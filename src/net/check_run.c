/* The checker of runs: a marking as an array of counters, and the definition of
 * firing. */
#include "net/check.h"

#include "base/mem.h"

static bool enabled(const Net *net, uint32_t t, const uint64_t *m) {
  MarkingView pre = net_pre(net, t);
  for (uint32_t i = 0; i < pre.len; i++)
    if (m[pre.at[i].place] < pre.at[i].count) return false;
  return true;
}

/* False when a counter would leave 63 bits. */
static bool fire(const Net *net, uint32_t t, uint64_t *m, uint64_t *moved) {
  const NetTransition *x = &net->transitions.data[t];
  const Transfer *moves = net->transfers.data + x->transfer;
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  for (uint32_t i = 0; i < pre.len; i++) m[pre.at[i].place] -= pre.at[i].count;
  /* all transfers happen at once: first everything leaves, then everything arrives */
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    moved[i] = m[moves[i].from];
    m[moves[i].from] = 0;
  }
  for (uint32_t i = 0; i < x->transfer_len; i++)
    if (moves[i].to != NET_NOWHERE) {
      m[moves[i].to] += moved[i];
      if (m[moves[i].to] >> 62) return false;
    }
  for (uint32_t i = 0; i < post.len; i++) {
    m[post.at[i].place] += post.at[i].count;
    if (m[post.at[i].place] >> 62) return false;
  }
  return true;
}

static bool start(const Net *net, const NetEvidence *e, uint64_t *m, Str *why) {
  for (uint32_t p = 0; p < net->place_names.len; p++)
    m[p] = net->initial.data[p] == NET_OMEGA ? 0 : net->initial.data[p];
  for (uint32_t i = 0; i < e->start.len; i++) {
    uint32_t p = e->start.data[i].place;
    if (net->initial.data[p] != NET_OMEGA) {
      str_addf(why, "the run puts tokens into '%s', whose number is fixed",
               net->place_names.data[p]);
      return false;
    }
    m[p] = e->start.data[i].count;
  }
  return true;
}

static CheckResult follow(const Net *net, const NetEvidence *e, uint64_t *m,
                          uint64_t *moved, Str *why) {
  if (!start(net, e, m, why)) return CHECK_FAILS;
  for (uint32_t i = 0; i < e->firings.len; i++) {
    if (!enabled(net, e->firings.data[i], m)) {
      str_addf(why, "step %u of the run: transition %u is not enabled", i + 1,
               e->firings.data[i]);
      return CHECK_FAILS;
    }
    if (!fire(net, e->firings.data[i], m, moved)) {
      str_addf(why, "step %u of the run: too many tokens to be counted", i + 1);
      return CHECK_FAILS;
    }
  }
  MarkingView target = net_target(net, e->target);
  for (uint32_t i = 0; i < target.len; i++)
    if (m[target.at[i].place] < target.at[i].count) {
      str_addf(why, "the run ends with too few tokens in '%s'",
               net->place_names.data[target.at[i].place]);
      return CHECK_FAILS;
    }
  return CHECK_HOLDS;
}

CheckResult check_firing_run(const Net *net, const NetEvidence *e, Str *why) {
  uint64_t *m = mem_alloc((net->place_names.len + 1) * sizeof *m);
  uint64_t *moved = mem_alloc((net->place_names.len + 1) * sizeof *moved);
  CheckResult result = follow(net, e, m, moved, why);
  mem_free(m);
  mem_free(moved);
  return result;
}
