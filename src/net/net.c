/* See net.h. Building appends to flat arrays; net_index makes the two inverse indexes by
 * counting, so that a net of tens of thousands of places and transitions is ready in
 * milliseconds. */
#include "net/net.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

Net *net_new(const char *file) {
  Net *net = mem_alloc_zero(sizeof *net);
  net->arena = arena_new();
  net->file = file ? str_dup(file) : NULL;
  return net;
}

void net_free(Net *net) {
  if (!net) return;
  arena_free(net->arena);
  mem_free(net->file);
  vec_free(&net->place_names);
  strmap_free(&net->place_index);
  vec_free(&net->initial);
  vec_free(&net->transitions);
  vec_free(&net->arcs);
  vec_free(&net->transfers);
  vec_free(&net->target_tokens);
  vec_free(&net->targets);
  vec_free(&net->gain_start);
  vec_free(&net->gain);
  vec_free(&net->take_start);
  vec_free(&net->take);
  mem_free(net);
}

/* ---- markings --------------------------------------------------------------------- */

static int compare_tokens(const void *a, const void *b) {
  uint32_t x = ((const Tokens *)a)->place, y = ((const Tokens *)b)->place;
  return x < y ? -1 : x > y;
}

bool net_tidy(Tokens *tokens, uint32_t *len) {
  uint32_t kept = 0;
  bool sorted = true, fits = true;
  for (uint32_t i = 1; i < *len && sorted; i++)
    sorted = tokens[i - 1].place < tokens[i].place;
  if (!sorted) qsort(tokens, *len, sizeof *tokens, compare_tokens);
  for (uint32_t i = 0; i < *len;) {
    uint32_t place = tokens[i].place;
    uint64_t sum = 0;
    for (; i < *len && tokens[i].place == place; i++) sum += tokens[i].count;
    fits = fits && sum <= NET_MOST;
    if (sum > 0) tokens[kept++] = (Tokens){place, (uint32_t)sum};
  }
  *len = kept;
  return fits;
}

void net_marking_text(const Net *net, MarkingView marking, Str *out) {
  if (marking.len == 0) str_add(out, "true");
  for (uint32_t i = 0; i < marking.len; i++)
    str_addf(out, "%s%s >= %u", i ? ", " : "", net->place_names.data[marking.at[i].place],
             marking.at[i].count);
}

/* ---- building --------------------------------------------------------------------- */

uint32_t net_add_place(Net *net, const char *name, uint32_t initial) {
  uint32_t place = net->place_names.len;
  name = arena_strdup(net->arena, name);
  assert(net_find_place(net, name, strlen(name)) == NET_NONE);
  vec_push(&net->place_names, name);
  vec_push(&net->initial, initial);
  strmap_put(&net->place_index, name, place);
  return place;
}

uint32_t net_find_place(const Net *net, const char *name, size_t length) {
  const uint64_t *found = strmap_get(&net->place_index, name, length);
  return found ? (uint32_t)*found : NET_NONE;
}

/* While a transition is open, its arcs of both directions lie mixed at the end of `arcs`.
 * Those of post carry a high bit in their place, so that one sort tells them apart. */
#define POST_BIT 0x80000000u

uint32_t net_begin_transition(Net *net, const char *name, uint32_t line) {
  vec_push(&net->transitions,
           (NetTransition){.name = name ? arena_strdup(net->arena, name) : NULL,
                           .line = line,
                           .from = NET_NONE,
                           .to = NET_NONE,
                           .pre = net->arcs.len,
                           .transfer = net->transfers.len});
  return net->transitions.len - 1;
}

void net_add_pre(Net *net, uint32_t place, uint32_t weight) {
  assert(place < net->place_names.len && place < POST_BIT);
  vec_push(&net->arcs, (Tokens){place, weight});
}

void net_add_post(Net *net, uint32_t place, uint32_t weight) {
  assert(place < net->place_names.len && place < POST_BIT);
  vec_push(&net->arcs, (Tokens){place | POST_BIT, weight});
}

void net_add_transfer(Net *net, uint32_t from, uint32_t to) {
  assert(to == NET_NOWHERE || to < net->place_names.len);
  assert(from < net->place_names.len);
  if (from != to) vec_push(&net->transfers, (Transfer){from, to});
}

static int compare_transfers(const void *a, const void *b) {
  uint32_t x = ((const Transfer *)a)->from, y = ((const Transfer *)b)->from;
  return x < y ? -1 : x > y;
}

bool net_end_transition(Net *net) {
  NetTransition *t = vec_last(&net->transitions);
  uint32_t len = net->arcs.len - t->pre;
  Tokens *arcs = net->arcs.data + t->pre;
  bool fits = net_tidy(arcs, &len);
  while (t->pre_len < len && !(arcs[t->pre_len].place & POST_BIT)) t->pre_len++;
  t->post = t->pre + t->pre_len;
  t->post_len = len - t->pre_len;
  for (uint32_t i = t->pre_len; i < len; i++) arcs[i].place &= ~POST_BIT;
  net->arcs.len = t->pre + len;
  t->transfer_len = net->transfers.len - t->transfer;
  if (t->transfer_len > 0) {
    net->has_transfers = true;
    qsort(net->transfers.data + t->transfer, t->transfer_len, sizeof(Transfer),
          compare_transfers);
  }
  return fits;
}

void net_add_target(Net *net, Tokens *tokens, uint32_t len, const char *what) {
  net_tidy(tokens, &len);
  for (uint32_t i = 0; i < len; i++) assert(tokens[i].place < net->place_names.len);
  NetTarget target = {.start = net->target_tokens.len,
                      .len = len,
                      .what = what ? arena_strdup(net->arena, what) : NULL};
  for (uint32_t i = 0; i < len; i++) vec_push(&net->target_tokens, tokens[i]);
  vec_push(&net->targets, target);
}

/* ---- indexes ---------------------------------------------------------------------- */

static uint32_t count_at(MarkingView m, uint32_t place) {
  uint32_t low = 0, high = m.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (m.at[middle].place < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low < m.len && m.at[low].place == place ? m.at[low].count : 0;
}

static void visit_gain(Net *net, uint32_t place, uint32_t t, bool fill) {
  if (fill)
    net->gain.data[net->gain_start.data[place]++] = t;
  else
    net->gain_start.data[place]++;
}

static void visit_take(Net *net, uint32_t place, uint32_t t, bool fill) {
  if (fill)
    net->take.data[net->take_start.data[place]++] = t;
  else
    net->take_start.data[place]++;
}

static void visit_transition(Net *net, uint32_t t, bool fill) {
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  const NetTransition *x = &net->transitions.data[t];
  const Transfer *transfers = net->transfers.data + x->transfer;
  for (uint32_t i = 0; i < pre.len; i++) visit_take(net, pre.at[i].place, t, fill);
  for (uint32_t i = 0; i < post.len; i++)
    if (post.at[i].count > count_at(pre, post.at[i].place))
      visit_gain(net, post.at[i].place, t, fill);
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    if (transfers[i].to == NET_NOWHERE) continue;
    uint32_t to = transfers[i].to;
    bool seen = count_at(post, to) > count_at(pre, to);
    for (uint32_t j = 0; j < i && !seen; j++) seen = transfers[j].to == to;
    if (!seen) visit_gain(net, to, t, fill);
  }
}

/* Turns counts into starts. Filling then moves each start to its end, which is the start
 * of the next place: `shift` puts them right again. */
static void accumulate(uint32_t *starts, uint32_t places) {
  uint32_t sum = 0;
  for (uint32_t p = 0; p < places; p++) {
    uint32_t here = starts[p];
    starts[p] = sum;
    sum += here;
  }
  starts[places] = sum;
}

static void shift(uint32_t *starts, uint32_t places) {
  for (uint32_t p = places; p > 0; p--) starts[p] = starts[p - 1];
  starts[0] = 0;
}

void net_index(Net *net) {
  uint32_t places = net->place_names.len;
  vec_clear(&net->gain_start), vec_clear(&net->take_start);
  vec_clear(&net->gain), vec_clear(&net->take);
  (void)vec_extend(&net->gain_start, places + 1);
  (void)vec_extend(&net->take_start, places + 1);
  for (uint32_t t = 0; t < net->transitions.len; t++) visit_transition(net, t, false);
  accumulate(net->gain_start.data, places);
  accumulate(net->take_start.data, places);
  if (net->gain_start.data[places])
    (void)vec_extend(&net->gain, net->gain_start.data[places]);
  if (net->take_start.data[places])
    (void)vec_extend(&net->take, net->take_start.data[places]);
  for (uint32_t t = 0; t < net->transitions.len; t++) visit_transition(net, t, true);
  shift(net->gain_start.data, places), shift(net->take_start.data, places);
  assert(net->gain_start.data[places] == net->gain.len);
  assert(net->take_start.data[places] == net->take.len);
}

/* ---- text ------------------------------------------------------------------------- */

void net_transition_name(const Net *net, uint32_t t, Str *out) {
  const char *name = net->transitions.data[t].name;
  if (name)
    str_add(out, name);
  else
    str_addf(out, "t%u", t + 1);
}
