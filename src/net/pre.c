/* See pre.h. Without transfers: pre(p) + max(0, m(p) - post(p)) for each place, by
 * merging three sorted lists. With transfers the rest m(p) - post(p) must come from the
 * places that flow into p: p itself, unless it flows elsewhere, and the sources of
 * transfers. */
#include "net/pre.h"

#include "base/mem.h"

#define MOST_WAYS 1000000u

void pre_free(PreScratch *s) {
  vec_free(&s->out);
  vec_free(&s->sources);
  vec_free(&s->demands);
}

/* ---- without transfers ------------------------------------------------------------ */

static bool merge(const Net *net, uint32_t t, MarkingView m, Marking *out) {
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  uint32_t i = 0, j = 0, k = 0;
  vec_clear(out);
  vec_reserve(out, m.len + pre.len);
  while (i < m.len || j < pre.len) {
    uint32_t place = i == m.len                                        ? pre.at[j].place
                     : j == pre.len || m.at[i].place < pre.at[j].place ? m.at[i].place
                                                                       : pre.at[j].place;
    uint64_t count = 0;
    if (i < m.len && m.at[i].place == place) {
      count = m.at[i++].count;
      while (k < post.len && post.at[k].place < place) k++;
      if (k < post.len && post.at[k].place == place)
        count = count > post.at[k].count ? count - post.at[k].count : 0;
    }
    if (j < pre.len && pre.at[j].place == place) count += pre.at[j++].count;
    if (count > NET_MOST) return false;
    if (count > 0) out->data[out->len++] = (Tokens){place, (uint32_t)count};
  }
  return true;
}

/* ---- with transfers --------------------------------------------------------------- */

static uint32_t destination(const Net *net, const NetTransition *x, uint32_t place) {
  for (uint32_t i = 0; i < x->transfer_len; i++)
    if (net->transfers.data[x->transfer + i].from == place)
      return net->transfers.data[x->transfer + i].to;
  return place;
}

/* Collects what must be spread; false when a demand has no source at all. */
static bool collect(const Net *net, uint32_t t, MarkingView m, PreScratch *s) {
  const NetTransition *x = &net->transitions.data[t];
  MarkingView post = net_post(net, t);
  uint32_t k = 0;
  vec_clear(&s->demands);
  vec_clear(&s->sources);
  for (uint32_t i = 0; i < m.len; i++) {
    uint32_t place = m.at[i].place, count = m.at[i].count;
    while (k < post.len && post.at[k].place < place) k++;
    if (k < post.len && post.at[k].place == place)
      count = count > post.at[k].count ? count - post.at[k].count : 0;
    if (count == 0) continue;
    struct PreDemand demand = {.count = count, .start = s->sources.len};
    if (destination(net, x, place) == place) vec_push(&s->sources, place);
    for (uint32_t j = 0; j < x->transfer_len; j++) {
      Transfer move = net->transfers.data[x->transfer + j];
      if (move.to == place) vec_push(&s->sources, move.from);
    }
    demand.len = s->sources.len - demand.start;
    if (demand.len == 0) return false;
    vec_push(&s->demands, demand);
  }
  return true;
}

static uint64_t count_ways(const PreScratch *s) {
  uint64_t ways = 1;
  for (uint32_t d = 0; d < s->demands.len && ways <= MOST_WAYS; d++) {
    /* compositions of `count` into `len` parts */
    uint64_t here = 1;
    for (uint32_t i = 1; i < s->demands.data[d].len && here <= MOST_WAYS; i++)
      here = here * (s->demands.data[d].count + i) / i;
    ways *= here > MOST_WAYS ? MOST_WAYS + 1 : here;
  }
  return ways;
}

/* The way number `way`, counting compositions of all demands in mixed radix. */
static bool build_way(const Net *net, uint32_t t, PreScratch *s, const uint32_t *shares) {
  MarkingView pre = net_pre(net, t);
  vec_clear(&s->out);
  for (uint32_t i = 0; i < pre.len; i++) vec_push(&s->out, pre.at[i]);
  for (uint32_t i = 0; i < s->sources.len; i++)
    if (shares[i] > 0) vec_push(&s->out, (Tokens){s->sources.data[i], shares[i]});
  return net_tidy(s->out.data, &s->out.len);
}

/* The next composition of one demand, in place; false after the last, which is then
 * followed by the first again. */
static bool next_composition(uint32_t *shares, uint32_t len) {
  uint32_t i = 0;
  while (i < len && shares[i] == 0) i++;
  if (i + 1 >= len) {
    if (i < len && i > 0) { /* all in the last part: back to all in the first */
      shares[0] = shares[i];
      shares[i] = 0;
    }
    return false;
  }
  uint32_t moved = shares[i];
  shares[i] = 0;
  shares[0] = moved - 1;
  shares[i + 1]++;
  return true;
}

static bool next_way(PreScratch *s, uint32_t *shares) {
  for (uint32_t d = 0; d < s->demands.len; d++)
    if (next_composition(shares + s->demands.data[d].start, s->demands.data[d].len))
      return true;
  return false;
}

static PreResult visit_ways(const Net *net, uint32_t t, MarkingView m, PreScratch *s,
                            PreVisit *visit, void *user) {
  PreResult result = PRE_DONE;
  if (!collect(net, t, m, s)) return PRE_DONE;
  if (count_ways(s) > MOST_WAYS) return PRE_TOO_LARGE;
  uint32_t *shares = mem_alloc_zero((s->sources.len + 1) * sizeof *shares);
  for (uint32_t d = 0; d < s->demands.len; d++)
    shares[s->demands.data[d].start] = s->demands.data[d].count;
  do {
    if (!build_way(net, t, s, shares))
      result = PRE_TOO_LARGE;
    else if (!visit(user, (MarkingView){s->out.data, s->out.len}))
      result = PRE_ENDED;
  } while (result == PRE_DONE && next_way(s, shares));
  mem_free(shares);
  return result;
}

PreResult pre_visit(const Net *net, uint32_t t, MarkingView marking, PreScratch *s,
                    PreVisit *visit, void *user) {
  if (net->transitions.data[t].transfer_len > 0)
    return visit_ways(net, t, marking, s, visit, user);
  if (!merge(net, t, marking, &s->out)) return PRE_TOO_LARGE;
  return visit(user, (MarkingView){s->out.data, s->out.len}) ? PRE_DONE : PRE_ENDED;
}
