/* See core.h. Two sweeps, each linear in the size of the net: forward, which places can
 * have a token at all (the "sign analysis" of the field); backward from the target, which
 * places and transitions it depends on. */
#include "net/core.h"

#include "base/mem.h"

#include <xxhash.h>

typedef struct {
  const Net *net;
  bool *markable, *relevant; /* per place */
  bool *emptied;             /* per place: the source of a transfer */
  bool *enabled, *kept;      /* per transition */
  uint32_t *missing;         /* per transition: unmarked places that it needs */
  VEC(uint32_t) work;
} Sweep;

static const Transfer *transfers_of(const Net *net, uint32_t t, uint32_t *ret_len) {
  const NetTransition *x = &net->transitions.data[t];
  *ret_len = x->transfer_len;
  return net->transfers.data + x->transfer;
}

/* ---- forward ---------------------------------------------------------------------- */

static void mark(Sweep *s, uint32_t place) {
  if (s->markable[place]) return;
  s->markable[place] = true;
  vec_push(&s->work, place);
}

static void enable(Sweep *s, uint32_t t) {
  MarkingView post = net_post(s->net, t);
  s->enabled[t] = true;
  for (uint32_t i = 0; i < post.len; i++) mark(s, post.at[i].place);
}

static void propagate(Sweep *s) {
  const Net *net = s->net;
  while (s->work.len > 0) {
    uint32_t p = vec_pop(&s->work);
    for (uint32_t i = net->take_start.data[p]; i < net->take_start.data[p + 1]; i++)
      if (--s->missing[net->take.data[i]] == 0) enable(s, net->take.data[i]);
  }
}

/* Tokens that transfers may move; true when a new place was marked. */
static bool propagate_transfers(Sweep *s) {
  uint32_t before = s->work.len, len;
  for (uint32_t t = 0; t < s->net->transitions.len; t++) {
    const Transfer *x = transfers_of(s->net, t, &len);
    for (uint32_t i = 0; s->enabled[t] && i < len; i++)
      if (s->markable[x[i].from] && x[i].to != NET_NOWHERE) mark(s, x[i].to);
  }
  return s->work.len > before;
}

static void sweep_forward(Sweep *s) {
  const Net *net = s->net;
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    s->missing[t] = net_pre(net, t).len;
    if (s->missing[t] == 0) enable(s, t);
  }
  for (uint32_t p = 0; p < net->place_names.len; p++)
    if (net->initial.data[p]) mark(s, p);
  propagate(s);
  while (net->has_transfers && propagate_transfers(s)) propagate(s);
}

/* ---- backward --------------------------------------------------------------------- */

/* A place that always has enough tokens depends on nothing. */
static bool is_endless(const Sweep *s, uint32_t p) {
  return s->net->initial.data[p] == NET_OMEGA && !s->emptied[p];
}

static void need(Sweep *s, uint32_t place) {
  if (s->relevant[place] || is_endless(s, place)) return;
  s->relevant[place] = true;
  vec_push(&s->work, place);
}

static bool target_is_live(const Sweep *s, uint32_t i) {
  MarkingView target = net_target(s->net, i);
  for (uint32_t k = 0; k < target.len; k++)
    if (!s->markable[target.at[k].place]) return false;
  return true;
}

static void sweep_backward(Sweep *s) {
  const Net *net = s->net;
  for (uint32_t i = 0; i < net->targets.len; i++) {
    MarkingView target = net_target(net, i);
    for (uint32_t k = 0; target_is_live(s, i) && k < target.len; k++)
      need(s, target.at[k].place);
  }
  while (s->work.len > 0) {
    uint32_t p = vec_pop(&s->work), len;
    for (uint32_t i = net->gain_start.data[p]; i < net->gain_start.data[p + 1]; i++) {
      uint32_t t = net->gain.data[i];
      if (!s->enabled[t]) continue;
      const Transfer *x = transfers_of(net, t, &len);
      for (uint32_t k = 0; k < len; k++)
        if (x[k].to == p) need(s, x[k].from);
      if (s->kept[t]) continue;
      MarkingView pre = net_pre(net, t);
      s->kept[t] = true;
      for (uint32_t k = 0; k < pre.len; k++) need(s, pre.at[k].place);
    }
  }
}

/* ---- building --------------------------------------------------------------------- */

static void find_emptied(Sweep *s) {
  for (uint32_t i = 0; i < s->net->transfers.len; i++)
    s->emptied[s->net->transfers.data[i].from] = true;
}

static void add_places(Sweep *s, Core *core, uint32_t *number) {
  const Net *net = s->net;
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    number[p] = NET_NONE;
    if (!s->markable[p]) vec_push(&core->dead, p);
    if (!s->relevant[p] || !s->markable[p]) continue;
    number[p] = net_add_place(core->net, net->place_names.data[p], net->initial.data[p]);
    vec_push(&core->place_of, p);
  }
}

static void add_arcs(Core *core, const uint32_t *number, MarkingView arcs,
                     void (*add)(Net *, uint32_t, uint32_t)) {
  for (uint32_t i = 0; i < arcs.len; i++)
    if (number[arcs.at[i].place] != NET_NONE)
      add(core->net, number[arcs.at[i].place], arcs.at[i].count);
}

/* A hash of all arcs of the last transition of the core. */
static uint64_t fingerprint(const Net *net) {
  const NetTransition *x = vec_last(&net->transitions);
  uint64_t lens[2] = {x->pre_len, x->transfer_len};
  uint64_t h = XXH3_64bits(lens, sizeof lens);
  if (x->pre_len + x->post_len > 0)
    h = XXH3_64bits_withSeed(net->arcs.data + x->pre,
                             (x->pre_len + x->post_len) * sizeof(Tokens), h);
  if (x->transfer_len > 0)
    h = XXH3_64bits_withSeed(net->transfers.data + x->transfer,
                             x->transfer_len * sizeof(Transfer), h);
  return h;
}

static bool same_view(MarkingView a, MarkingView b) {
  return a.len == b.len && (a.len == 0 || !memcmp(a.at, b.at, a.len * sizeof(Tokens)));
}

static bool same_transition(const Net *net, uint32_t a, uint32_t b) {
  uint32_t la, lb;
  const Transfer *x = transfers_of(net, a, &la), *y = transfers_of(net, b, &lb);
  return same_view(net_pre(net, a), net_pre(net, b)) &&
         same_view(net_post(net, a), net_post(net, b)) && la == lb &&
         (la == 0 || !memcmp(x, y, la * sizeof *x));
}

/* Equal hashes of different transitions only cost the reduction, not the result. */
static void drop_repetition(Core *core, Map *seen) {
  Net *net = core->net;
  uint32_t last = net->transitions.len - 1;
  uint64_t *slot = map_at(seen, fingerprint(net));
  if (*slot == 0) {
    *slot = last + 1;
  } else if (same_transition(net, (uint32_t)*slot - 1, last)) {
    net->arcs.len = net->transitions.data[last].pre;
    net->transfers.len = net->transitions.data[last].transfer;
    net->transitions.len--;
    core->transition_of.len--;
  }
}

static void add_transitions(Sweep *s, Core *core, const uint32_t *number) {
  Map seen = {0};
  for (uint32_t t = 0; t < s->net->transitions.len; t++) {
    uint32_t len;
    if (!s->kept[t]) continue;
    const Transfer *x = transfers_of(s->net, t, &len);
    net_begin_transition(core->net, NULL, 0);
    vec_push(&core->transition_of, t);
    add_arcs(core, number, net_pre(s->net, t), net_add_pre);
    add_arcs(core, number, net_post(s->net, t), net_add_post);
    for (uint32_t i = 0; i < len; i++)
      if (number[x[i].from] != NET_NONE)
        net_add_transfer(core->net, number[x[i].from],
                         x[i].to == NET_NOWHERE || number[x[i].to] == NET_NONE
                             ? NET_NOWHERE
                             : number[x[i].to]);
    net_end_transition(core->net);
    drop_repetition(core, &seen);
  }
  map_free(&seen);
}

static void add_targets(Sweep *s, Core *core, const uint32_t *number) {
  VEC(Tokens) tokens = {0};
  for (uint32_t i = 0; i < s->net->targets.len; i++) {
    MarkingView target = net_target(s->net, i);
    if (!target_is_live(s, i)) continue;
    vec_clear(&tokens);
    for (uint32_t k = 0; k < target.len; k++)
      if (number[target.at[k].place] != NET_NONE)
        vec_push(&tokens, (Tokens){number[target.at[k].place], target.at[k].count});
    net_add_target(core->net, tokens.data, tokens.len, NULL);
    vec_push(&core->target_of, i);
  }
  vec_free(&tokens);
}

Core *core_new(const Net *net) {
  uint32_t places = net->place_names.len, transitions = net->transitions.len;
  Sweep s = {.net = net,
             .markable = mem_alloc_zero(places + 1),
             .relevant = mem_alloc_zero(places + 1),
             .emptied = mem_alloc_zero(places + 1),
             .enabled = mem_alloc_zero(transitions + 1),
             .kept = mem_alloc_zero(transitions + 1),
             .missing = mem_alloc_zero((transitions + 1) * sizeof(uint32_t))};
  uint32_t *number = mem_alloc((places + 1) * sizeof *number);
  Core *core = mem_alloc_zero(sizeof *core);
  core->net = net_new(NULL);
  find_emptied(&s);
  sweep_forward(&s);
  sweep_backward(&s);
  add_places(&s, core, number);
  add_transitions(&s, core, number);
  add_targets(&s, core, number);
  net_index(core->net);
  mem_free(number);
  mem_free(s.markable), mem_free(s.relevant), mem_free(s.emptied);
  mem_free(s.enabled), mem_free(s.kept), mem_free(s.missing);
  vec_free(&s.work);
  return core;
}

void core_free(Core *core) {
  if (!core) return;
  net_free(core->net);
  vec_free(&core->place_of);
  vec_free(&core->transition_of);
  vec_free(&core->target_of);
  vec_free(&core->dead);
  mem_free(core);
}
