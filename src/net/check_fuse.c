/* Proofs about a smaller net: the checker makes that net itself, from the list of places
 * that were left out, and looks for each whether it may be (the reasons are in fuse.h).
 *
 * First what never happens and what does not matter is left out: transitions that need a
 * place which nothing can mark; transitions that add to no place the targets depend on
 * (leaving them out of a run takes no token from such a place); places with any number
 * of tokens, which block nothing; a transition that adds nowhere, or does the same as
 * another. Then each place of the list has to be a passage: empty at first, in no
 * target, all its arcs of weight 1, and either all that take from it need nothing else,
 * or all that put into it make nothing else. Every pair of them is fused.
 *
 * Numbers of places stay. Nets with transfers are refused. */
#include "net/check.h"

#include "base/mem.h"

typedef struct {
  Marking pre, post;
  bool gone;
} Rule;

typedef struct {
  const Net *net;
  bool *markable, *depends, *asked; /* per place; asked for by a target */
  bool *happens, *matters;          /* per transition */
  VEC(Rule) rules;
  Numbers *givers, *takers; /* per place: rules, also gone ones */
} Work;

static uint32_t count_at(const Marking *m, uint32_t place) {
  for (uint32_t i = 0; i < m->len; i++)
    if (m->data[i].place == place) return m->data[i].count;
  return 0;
}

/* ---- what matters ----------------------------------------------------------------- */

static void find_what_happens(Work *w) {
  const Net *net = w->net;
  uint32_t *missing = mem_alloc_zero((net->transitions.len + 1) * sizeof *missing);
  Numbers todo = {0}, fresh = {0};
  for (uint32_t p = 0; p < net->place_names.len; p++)
    if (net->initial.data[p]) {
      w->markable[p] = true;
      vec_push(&todo, p);
    }
  for (uint32_t t = 0; t < net->transitions.len; t++)
    if ((missing[t] = net_pre(net, t).len) == 0) vec_push(&fresh, t);
  while (todo.len + fresh.len > 0) {
    while (fresh.len > 0) {
      uint32_t t = vec_pop(&fresh);
      MarkingView post = net_post(net, t);
      w->happens[t] = true;
      for (uint32_t i = 0; i < post.len; i++)
        if (!w->markable[post.at[i].place]) {
          w->markable[post.at[i].place] = true;
          vec_push(&todo, post.at[i].place);
        }
    }
    if (todo.len == 0) break;
    uint32_t p = vec_pop(&todo);
    for (uint32_t i = net->take_start.data[p]; i < net->take_start.data[p + 1]; i++)
      if (--missing[net->take.data[i]] == 0) vec_push(&fresh, net->take.data[i]);
  }
  vec_free(&todo), vec_free(&fresh);
  mem_free(missing);
}

static bool is_possible(const Work *w, MarkingView target) {
  for (uint32_t i = 0; i < target.len; i++)
    if (!w->markable[target.at[i].place]) return false;
  return true;
}

static void depend(Work *w, Numbers *todo, uint32_t place) {
  if (w->depends[place] || w->net->initial.data[place] == NET_OMEGA) return;
  w->depends[place] = true;
  vec_push(todo, place);
}

static void find_what_matters(Work *w) {
  const Net *net = w->net;
  Numbers todo = {0};
  for (uint32_t i = 0; i < net->targets.len; i++) {
    MarkingView target = net_target(net, i);
    for (uint32_t k = 0; is_possible(w, target) && k < target.len; k++) {
      w->asked[target.at[k].place] = true;
      depend(w, &todo, target.at[k].place);
    }
  }
  while (todo.len > 0) {
    uint32_t p = vec_pop(&todo);
    for (uint32_t i = net->gain_start.data[p]; i < net->gain_start.data[p + 1]; i++) {
      uint32_t t = net->gain.data[i];
      MarkingView pre = net_pre(net, t);
      if (!w->happens[t] || w->matters[t]) continue;
      w->matters[t] = true;
      for (uint32_t k = 0; k < pre.len; k++) depend(w, &todo, pre.at[k].place);
    }
  }
  vec_free(&todo);
}

/* ---- rules ------------------------------------------------------------------------ */

static void end_rule(Rule *rule) {
  rule->gone = true;
  vec_free(&rule->pre), vec_free(&rule->post);
}

static bool same(const Marking *a, const Marking *b) {
  return a->len == b->len &&
         (a->len == 0 || !memcmp(a->data, b->data, a->len * sizeof *a->data));
}

/* Is the same rule there? One that is has its number in the lists of all its places. */
static bool is_there(const Work *w, const Rule *rule) {
  const Numbers *list = NULL;
  for (uint32_t i = 0; i < rule->pre.len; i++) {
    const Numbers *takers = &w->takers[rule->pre.data[i].place];
    if (!list || takers->len < list->len) list = takers;
  }
  for (uint32_t i = 0; i < rule->post.len; i++) {
    const Numbers *givers = &w->givers[rule->post.data[i].place];
    if (!list || givers->len < list->len) list = givers;
  }
  for (uint32_t i = 0; list && i < list->len; i++) {
    const Rule *other = &w->rules.data[list->data[i]];
    if (!other->gone && same(&other->pre, &rule->pre) && same(&other->post, &rule->post))
      return true;
  }
  return false;
}

/* Takes the markings over. */
static void add_rule(Work *w, Marking pre, Marking post) {
  Rule rule = {.pre = pre, .post = post};
  uint32_t id = w->rules.len;
  bool adds = false;
  for (uint32_t i = 0; i < post.len; i++)
    adds = adds || post.data[i].count > count_at(&pre, post.data[i].place);
  if (!adds || is_there(w, &rule)) {
    end_rule(&rule);
    return;
  }
  for (uint32_t i = 0; i < pre.len; i++) vec_push(&w->takers[pre.data[i].place], id);
  for (uint32_t i = 0; i < post.len; i++) vec_push(&w->givers[post.data[i].place], id);
  vec_push(&w->rules, rule);
}

static Marking what_matters(const Work *w, MarkingView m) {
  Marking out = {0};
  for (uint32_t i = 0; i < m.len; i++)
    if (w->depends[m.at[i].place]) vec_push(&out, m.at[i]);
  return out;
}

static void add_rules(Work *w) {
  for (uint32_t t = 0; t < w->net->transitions.len; t++)
    if (w->matters[t])
      add_rule(w, what_matters(w, net_pre(w->net, t)),
               what_matters(w, net_post(w->net, t)));
}

/* ---- passages --------------------------------------------------------------------- */

static void forget_gone(const Work *w, Numbers *list) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->len; i++)
    if (!w->rules.data[list->data[i]].gone) list->data[kept++] = list->data[i];
  list->len = kept;
}

static bool is_passage(const Work *w, uint32_t place) {
  const Numbers *givers = &w->givers[place], *takers = &w->takers[place];
  bool only_gives = true, only_takes = true;
  if (w->asked[place] || w->net->initial.data[place] != 0) return false;
  if (givers->len == 0 || takers->len == 0) return false;
  /* the net must not grow, or a short list could make a net of any size */
  if ((uint64_t)givers->len * takers->len > (uint64_t)givers->len + takers->len)
    return false;
  for (uint32_t i = 0; i < givers->len; i++) {
    const Rule *rule = &w->rules.data[givers->data[i]];
    if (count_at(&rule->post, place) != 1 || count_at(&rule->pre, place) != 0)
      return false;
    only_gives = only_gives && rule->post.len == 1;
  }
  for (uint32_t i = 0; i < takers->len; i++) {
    const Rule *rule = &w->rules.data[takers->data[i]];
    if (count_at(&rule->pre, place) != 1) return false;
    only_takes = only_takes && rule->pre.len == 1;
  }
  return only_gives || only_takes;
}

static bool sum_without(const Marking *a, const Marking *b, uint32_t place,
                        Marking *out) {
  *out = (Marking){0};
  for (uint32_t i = 0; i < a->len; i++)
    if (a->data[i].place != place) vec_push(out, a->data[i]);
  for (uint32_t i = 0; i < b->len; i++)
    if (b->data[i].place != place) vec_push(out, b->data[i]);
  return net_tidy(out->data, &out->len);
}

static bool fuse_pair(Work *w, uint32_t giver, uint32_t taker, uint32_t place) {
  const Rule *a = &w->rules.data[giver], *b = &w->rules.data[taker];
  Marking pre, post;
  bool fits = sum_without(&a->pre, &b->pre, place, &pre);
  fits = sum_without(&a->post, &b->post, place, &post) && fits;
  if (fits) {
    add_rule(w, pre, post);
  } else {
    vec_free(&pre);
    vec_free(&post);
  }
  return fits;
}

static bool leave_out(Work *w, uint32_t place) {
  Numbers *givers = &w->givers[place], *takers = &w->takers[place];
  bool fits = true;
  forget_gone(w, givers);
  forget_gone(w, takers);
  if (!is_passage(w, place)) return false;
  for (uint32_t i = 0; fits && i < givers->len; i++)
    for (uint32_t k = 0; fits && k < takers->len; k++)
      fits = fuse_pair(w, givers->data[i], takers->data[k], place);
  for (uint32_t i = 0; i < givers->len; i++) end_rule(&w->rules.data[givers->data[i]]);
  for (uint32_t i = 0; i < takers->len; i++) end_rule(&w->rules.data[takers->data[i]]);
  return fits;
}

/* ---- the net ---------------------------------------------------------------------- */

static Net *make_net(const Work *w) {
  Net *net = net_new(w->net->file);
  for (uint32_t p = 0; p < w->net->place_names.len; p++)
    net_add_place(net, w->net->place_names.data[p],
                  w->depends[p] ? w->net->initial.data[p] : 0);
  for (uint32_t n = 0; n < w->rules.len; n++) {
    const Rule *rule = &w->rules.data[n];
    if (rule->gone) continue;
    net_begin_transition(net, NULL, 0);
    for (uint32_t i = 0; i < rule->pre.len; i++)
      net_add_pre(net, rule->pre.data[i].place, rule->pre.data[i].count);
    for (uint32_t i = 0; i < rule->post.len; i++)
      net_add_post(net, rule->post.data[i].place, rule->post.data[i].count);
    net_end_transition(net);
  }
  for (uint32_t i = 0; i < w->net->targets.len; i++) {
    MarkingView target = net_target(w->net, i);
    if (!is_possible(w, target)) continue;
    Marking rest = what_matters(w, target);
    net_add_target(net, rest.data, rest.len, NULL);
    vec_free(&rest);
  }
  net_index(net);
  return net;
}

static void release(Work *w) {
  for (uint32_t p = 0; p < w->net->place_names.len; p++) {
    vec_free(&w->givers[p]);
    vec_free(&w->takers[p]);
  }
  for (uint32_t n = 0; n < w->rules.len; n++) end_rule(&w->rules.data[n]);
  vec_free(&w->rules);
  mem_free(w->givers), mem_free(w->takers);
  mem_free(w->markable), mem_free(w->depends), mem_free(w->asked);
  mem_free(w->happens), mem_free(w->matters);
}

Net *check_fused(const Net *net, const NetEvidence *e, Str *why) {
  uint32_t places = net->place_names.len, transitions = net->transitions.len;
  Work w = {.net = net};
  Net *fused = NULL;
  bool ok = !net->has_transfers;
  w.markable = mem_alloc_zero(places + 1), w.depends = mem_alloc_zero(places + 1);
  w.asked = mem_alloc_zero(places + 1);
  w.happens = mem_alloc_zero(transitions + 1);
  w.matters = mem_alloc_zero(transitions + 1);
  w.givers = mem_alloc_zero((places + 1) * sizeof *w.givers);
  w.takers = mem_alloc_zero((places + 1) * sizeof *w.takers);
  if (ok) {
    find_what_happens(&w);
    find_what_matters(&w);
    add_rules(&w);
  }
  for (uint32_t i = 0; ok && i < e->fused.len; i++) {
    ok = leave_out(&w, e->fused.data[i]);
    if (!ok) str_addf(why, "place %u cannot be left out", e->fused.data[i]);
  }
  if (ok) fused = make_net(&w);
  release(&w);
  return fused;
}
