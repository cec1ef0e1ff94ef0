/* See minimise.h. Threads are paid for: a new place holds k tokens, a thread of an omega
 * place costs one of them and so does each creation. The net that results is an ordinary
 * coverability problem for each k, and k goes up from nothing until a target is covered.
 * The run of that net, without its payments, is a run of the original. */
#include "net/minimise.h"

#include "base/mem.h"
#include "base/str.h"
#include "net/check.h"

/* The net with k threads to spend. Its transitions are those of the original, then one
 * per omega place in the order of places. */
static Net *with_budget(const Net *net, uint32_t k) {
  Net *paid = net_new(NULL);
  uint32_t places = net->place_names.len;
  for (uint32_t p = 0; p < places; p++)
    net_add_place(paid, net->place_names.data[p],
                  net->initial.data[p] == NET_OMEGA ? 0 : net->initial.data[p]);
  Str name = {0};
  str_add(&name, "threads");
  while (net_find_place(paid, str_text(&name), name.len) != NET_NONE)
    str_add_char(&name, '_');
  uint32_t purse = net_add_place(paid, str_text(&name), k);
  str_free(&name);
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    const NetTransition *x = &net->transitions.data[t];
    MarkingView pre = net_pre(net, t), post = net_post(net, t);
    net_begin_transition(paid, NULL, 0);
    for (uint32_t i = 0; i < pre.len; i++)
      net_add_pre(paid, pre.at[i].place, pre.at[i].count);
    for (uint32_t i = 0; i < post.len; i++)
      net_add_post(paid, post.at[i].place, post.at[i].count);
    for (uint32_t i = 0; i < x->transfer_len; i++) {
      Transfer move = net->transfers.data[x->transfer + i];
      net_add_transfer(paid, move.from, move.to);
    }
    net_add_pre(paid, purse, x->spawns);
    net_end_transition(paid);
  }
  for (uint32_t p = 0; p < places; p++) {
    if (net->initial.data[p] != NET_OMEGA) continue;
    net_begin_transition(paid, NULL, 0);
    net_add_pre(paid, purse, 1);
    net_add_post(paid, p, 1);
    net_end_transition(paid);
  }
  for (uint32_t i = 0; i < net->targets.len; i++) {
    Marking copy = {0};
    MarkingView target = net_target(net, i);
    for (uint32_t j = 0; j < target.len; j++) vec_push(&copy, target.at[j]);
    net_add_target(paid, copy.data, copy.len, NULL);
    vec_free(&copy);
  }
  net_index(paid);
  return paid;
}

/* The run of the paid net as one of the original: payments become the start. */
static void translate(const Net *net, const NetEvidence *paid, NetEvidence *out) {
  uint32_t own = net->transitions.len, number = own;
  out->unsafe = true;
  out->target = paid->target;
  for (uint32_t i = 0; i < paid->firings.len; i++)
    if (paid->firings.data[i] < own) vec_push(&out->firings, paid->firings.data[i]);
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    uint32_t count = 0;
    if (net->initial.data[p] != NET_OMEGA) continue;
    for (uint32_t i = 0; i < paid->firings.len; i++)
      count += paid->firings.data[i] == number;
    if (count > 0) vec_push(&out->start, (Tokens){p, count});
    number++;
  }
}

/* Replaces the run of `r` by that of the paid net, if the checker accepts it. */
static bool replace(const Net *net, const NetOptions *options, const NetResult *paid,
                    NetResult *r) {
  NetEvidence run = {0};
  Str why = {0};
  translate(net, &paid->evidence, &run);
  bool holds = check_evidence(net, &run, &options->limits, &why) == CHECK_HOLDS;
  str_free(&why);
  if (!holds) {
    evidence_free(&run);
    return false;
  }
  evidence_free(&r->evidence);
  r->evidence = run;
  r->threads = net->running;
  for (uint32_t i = 0; i < run.start.len; i++) r->threads += run.start.data[i].count;
  for (uint32_t i = 0; i < run.firings.len; i++)
    r->threads += net->transitions.data[run.firings.data[i]].spawns;
  return true;
}

void net_minimise(const Net *net, const NetOptions *options, NetResult *r) {
  NetOptions how = *options;
  uint64_t now = net_clock(), most = r->threads;
  if (how.limits.deadline > now)
    how.limits.deadline = now + (how.limits.deadline - now) / 2;
  how.search = NET_ALL;
  how.any_run = true;
  for (uint32_t k = 0; net->running + k < most; k++) {
    NetResult paid;
    Net *priced = with_budget(net, k);
    net_solve(priced, &how, &paid);
    NetVerdict verdict = paid.verdict;
    bool replaced = verdict == NET_UNSAFE && replace(net, options, &paid, r);
    net_result_free(&paid);
    net_free(priced);
    if (verdict == NET_UNKNOWN || (verdict == NET_UNSAFE && !replaced)) return;
    if (replaced) break;
  }
  r->least = true;
}
