/* The checker of proofs. What is verified, and why it means that no target is coverable:
 *
 * 1. The siphon S has no tokens in the beginning, and a transition that could put one
 *    there needs one from there; so S stays empty, transitions that need a place of S
 *    never fire, and transfers from there move nothing.
 * 2. Of the others, only those matter that can add to a place the targets depend on: the
 *    set D of places is closed under "what a transition needs that adds to D"; a shortest
 *    run to a target uses no other transition, for leaving one out never takes a token
 *    from D. Places that have any number of tokens and are no source of a transfer never
 *    block anything and need not be in D. From here on, "transition" means these.
 * 3. A trap has a token in the beginning, and a transition that takes from it puts into
 *    it; so it is never empty.
 * 4. For each invariant y: no transition increases y·M, so y·M <= y·M0 always; with
 *    l times a trap inside y, y·M >= u·M + l, where u is y less l in the places of the
 *    trap. So no reachable M is above an m with u·m > y·M0 - (sum of l). And if an M
 *    above an m with u·m = y·M0 - (sum of l) is reachable, then y·M = y·M0: only by
 *    transitions that leave y·M as it is, and of these only by those that fire when no
 *    others do. An invariant after such a one is about these transitions only, and
 *    excludes an m only if m is at or above the limits of all that it comes after. That is
 *    said of transitions that move no tokens of D by transfers.
 * 5. Each target holds a place of S, or is excluded by 4, or is above a marking of the
 *    basis. The same for each predecessor of each marking of the basis. The initial
 *    marking is above none. Hence on a run to a target, every marking, from the last back
 *    to the first, would be above the basis: there is none.
 *
 * All arithmetic is on integers, wide enough or checked. */
#include "net/check.h"

#include "base/mem.h"

typedef struct {
  uint32_t row, weight;
} Weight;

typedef struct {
  const Net *net;
  const NetEvidence *e;
  const NetLimits *limits;
  Str *why;
  bool late;                           /* the time is up */
  bool *in_siphon, *endless, *depends; /* per place */
  bool *matters;                       /* per transition */
  bool shifts;                         /* a transfer of one of them moves tokens of D */
  Numbers *feeders;                    /* per place: transitions that may add to it */
  Numbers *needers;                    /* per place: transitions that need it */
  bool *left, *marked;                 /* per transition, per place: see narrow */
  VEC(Weight) * weights;               /* per place: u of the invariants */
  __int128 *limit, *value;             /* per invariant */
  Numbers *filed;                      /* per place: markings of the basis */
  bool empty_in_basis;
  uint32_t *stamp; /* per transition */
} Check;

static bool fails(Check *c, const char *what, uint32_t number) {
  str_addf(c->why, "%s %u does not hold", what, number);
  return false;
}

static uint32_t tokens_at(MarkingView m, uint32_t place) {
  for (uint32_t i = 0; i < m.len && m.at[i].place <= place; i++)
    if (m.at[i].place == place) return m.at[i].count;
  return 0;
}

static const Transfer *moves_of(const Net *net, uint32_t t, uint32_t *ret_len) {
  *ret_len = net->transitions.data[t].transfer_len;
  return net->transfers.data + net->transitions.data[t].transfer;
}

static bool touches(MarkingView m, const bool *set) {
  for (uint32_t i = 0; i < m.len; i++)
    if (set[m.at[i].place]) return true;
  return false;
}

/* ---- 1: the siphon ---------------------------------------------------------------- */

static bool may_fill_siphon(const Check *c, uint32_t t) {
  uint32_t len;
  const Transfer *moves = moves_of(c->net, t, &len);
  if (touches(net_post(c->net, t), c->in_siphon)) return true;
  for (uint32_t i = 0; i < len; i++)
    if (moves[i].to != NET_NOWHERE && c->in_siphon[moves[i].to] &&
        !c->in_siphon[moves[i].from])
      return true;
  return false;
}

static bool check_siphon(Check *c) {
  for (uint32_t i = 0; i < c->e->siphon.len; i++) {
    uint32_t p = c->e->siphon.data[i];
    if (c->net->initial.data[p] != 0) return fails(c, "the siphon: place", p);
    c->in_siphon[p] = true;
  }
  for (uint32_t t = 0; t < c->net->transitions.len; t++)
    if (may_fill_siphon(c, t) && !touches(net_pre(c->net, t), c->in_siphon))
      return fails(c, "the siphon: transition", t);
  return true;
}

/* ---- 2: what matters -------------------------------------------------------------- */

static void find_feeders(Check *c) {
  const Net *net = c->net;
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    MarkingView pre = net_pre(net, t), post = net_post(net, t);
    uint32_t len;
    const Transfer *moves = moves_of(net, t, &len);
    for (uint32_t i = 0; i < len; i++) c->endless[moves[i].from] = false;
    for (uint32_t i = 0; i < pre.len; i++) vec_push(&c->needers[pre.at[i].place], t);
    if (touches(pre, c->in_siphon)) continue;
    for (uint32_t i = 0; i < post.len; i++)
      if (post.at[i].count > tokens_at(pre, post.at[i].place))
        vec_push(&c->feeders[post.at[i].place], t);
    for (uint32_t i = 0; i < len; i++)
      if (moves[i].to != NET_NOWHERE && !c->in_siphon[moves[i].from])
        vec_push(&c->feeders[moves[i].to], t);
  }
}

static void depend(Check *c, Numbers *work, uint32_t place) {
  if (c->depends[place] || c->endless[place]) return;
  c->depends[place] = true;
  vec_push(work, place);
}

/* Places of the siphon have no tokens to move, and tokens outside of D never get into it. */
static void find_shifts(Check *c) {
  for (uint32_t t = 0; t < c->net->transitions.len; t++) {
    uint32_t len;
    const Transfer *moves = moves_of(c->net, t, &len);
    for (uint32_t i = 0; i < len && c->matters[t]; i++)
      if (c->depends[moves[i].from] && !c->in_siphon[moves[i].from]) c->shifts = true;
  }
}

static void find_what_matters(Check *c) {
  const Net *net = c->net;
  Numbers work = {0};
  for (uint32_t p = 0; p < net->place_names.len; p++)
    c->endless[p] = net->initial.data[p] == NET_OMEGA;
  find_feeders(c);
  for (uint32_t i = 0; i < net->targets.len; i++) {
    MarkingView target = net_target(net, i);
    if (touches(target, c->in_siphon)) continue;
    for (uint32_t k = 0; k < target.len; k++) depend(c, &work, target.at[k].place);
  }
  while (work.len > 0) {
    uint32_t p = vec_pop(&work), len;
    for (uint32_t i = 0; i < c->feeders[p].len; i++) {
      uint32_t t = c->feeders[p].data[i];
      MarkingView pre = net_pre(net, t);
      const Transfer *moves = moves_of(net, t, &len);
      c->matters[t] = true;
      for (uint32_t k = 0; k < pre.len; k++) depend(c, &work, pre.at[k].place);
      for (uint32_t k = 0; k < len; k++)
        if (moves[k].to == p) depend(c, &work, moves[k].from);
    }
  }
  vec_free(&work);
  find_shifts(c);
}

/* ---- 3: traps --------------------------------------------------------------------- */

static bool keeps_trap(const Check *c, uint32_t t, const bool *trap) {
  uint32_t len;
  const Transfer *moves = moves_of(c->net, t, &len);
  bool takes = touches(net_pre(c->net, t), trap);
  for (uint32_t i = 0; i < len; i++)
    takes = takes ||
            (trap[moves[i].from] && (moves[i].to == NET_NOWHERE || !trap[moves[i].to]));
  return !takes || touches(net_post(c->net, t), trap);
}

static bool check_trap(Check *c, uint32_t number, bool *trap) {
  uint32_t start = number ? c->e->traps.ends.data[number - 1] : 0;
  uint32_t end = c->e->traps.ends.data[number];
  bool marked = false, ok = true;
  for (uint32_t i = start; i < end; i++) {
    uint32_t p = c->e->traps.items.data[i];
    trap[p] = true;
    marked =
        marked || (c->net->initial.data[p] > 0 && c->net->initial.data[p] != NET_OMEGA);
  }
  for (uint32_t t = 0; ok && t < c->net->transitions.len; t++)
    ok = !c->matters[t] || keeps_trap(c, t, trap);
  for (uint32_t i = start; i < end; i++) trap[c->e->traps.items.data[i]] = false;
  return (ok && marked) || fails(c, "trap", number);
}

static bool check_traps(Check *c) {
  bool *trap = mem_alloc_zero(c->net->place_names.len + 1), ok = true;
  for (uint32_t i = 0; ok && i < c->e->traps.ends.len; i++) ok = check_trap(c, i, trap);
  mem_free(trap);
  return ok;
}

/* ---- 4: invariants ---------------------------------------------------------------- */

static bool no_increase(const Check *c, uint32_t t, const __int128 *y) {
  MarkingView pre = net_pre(c->net, t), post = net_post(c->net, t);
  uint32_t len;
  const Transfer *moves = moves_of(c->net, t, &len);
  __int128 before = 0, after = 0;
  for (uint32_t i = 0; i < pre.len; i++) before += y[pre.at[i].place] * pre.at[i].count;
  for (uint32_t i = 0; i < post.len; i++) after += y[post.at[i].place] * post.at[i].count;
  if (after > before) return false;
  for (uint32_t i = 0; i < len; i++)
    if (moves[i].to != NET_NOWHERE && !c->in_siphon[moves[i].from] &&
        y[moves[i].to] > y[moves[i].from])
      return false;
  return true;
}

static __int128 change_by(const Check *c, uint32_t t, const __int128 *y) {
  MarkingView pre = net_pre(c->net, t), post = net_post(c->net, t);
  __int128 change = 0;
  for (uint32_t i = 0; i < post.len; i++)
    change += y[post.at[i].place] * post.at[i].count;
  for (uint32_t i = 0; i < pre.len; i++) change -= y[pre.at[i].place] * pre.at[i].count;
  return change;
}

static void mark(Check *c, uint32_t place, Numbers *work) {
  if (c->marked[place]) return;
  c->marked[place] = true;
  vec_push(work, place);
}

static bool is_marked(const Check *c, MarkingView m) {
  for (uint32_t i = 0; i < m.len; i++)
    if (!c->marked[m.at[i].place]) return false;
  return true;
}

static void fire_if_left(Check *c, uint32_t t, Numbers *work) {
  MarkingView post = net_post(c->net, t);
  if (!c->left[t] || !is_marked(c, net_pre(c->net, t))) return;
  for (uint32_t i = 0; i < post.len; i++) mark(c, post.at[i].place, work);
}

/* Of `left`, only what fires when nothing else does. */
static void leave_firable(Check *c) {
  Numbers work = {0};
  for (uint32_t p = 0; p < c->net->place_names.len; p++) c->marked[p] = false;
  for (uint32_t p = 0; p < c->net->place_names.len; p++)
    if (c->net->initial.data[p] > 0) mark(c, p, &work);
  for (uint32_t t = 0; t < c->net->transitions.len; t++)
    if (net_pre(c->net, t).len == 0) fire_if_left(c, t, &work);
  while (work.len > 0) {
    const Numbers *list = &c->needers[vec_pop(&work)];
    for (uint32_t i = 0; i < list->len; i++) fire_if_left(c, list->data[i], &work);
  }
  for (uint32_t t = 0; t < c->net->transitions.len; t++)
    c->left[t] = c->left[t] && is_marked(c, net_pre(c->net, t));
  vec_free(&work);
}

/* The transitions that an invariant after `after` is about. What an invariant in between
 * was not about is left out anyway: it fires less than what fired for that one. `y` is
 * zero before and after. */
static void narrow(Check *c, uint32_t after, __int128 *y) {
  uint32_t transitions = c->net->transitions.len;
  for (uint32_t t = 0; t < transitions; t++) c->left[t] = c->matters[t];
  for (uint32_t n = after; n != NET_NONE; n = c->e->after.data[n]) {
    MarkingView row = token_row(&c->e->invariants, n);
    for (uint32_t i = 0; i < row.len; i++) y[row.at[i].place] = row.at[i].count;
    for (uint32_t t = 0; t < transitions; t++)
      c->left[t] = c->left[t] && change_by(c, t, y) >= 0;
    for (uint32_t i = 0; i < row.len; i++) y[row.at[i].place] = 0;
  }
  if (after != NET_NONE) leave_firable(c);
}

/* Fills y, then turns it into u; both are zero again when this returns. */
static bool check_invariant(Check *c, uint32_t number, __int128 *y) {
  MarkingView row = token_row(&c->e->invariants, number);
  MarkingView uses = token_row(&c->e->uses, number);
  uint32_t after = c->e->after.data[number];
  __int128 limit = 0;
  bool ok = after == NET_NONE || !c->shifts;
  narrow(c, after, y);
  for (uint32_t i = 0; i < row.len; i++) {
    uint32_t initial = c->net->initial.data[row.at[i].place];
    ok = ok && initial != NET_OMEGA;
    y[row.at[i].place] = row.at[i].count;
    limit += (__int128)row.at[i].count * (ok ? initial : 0);
  }
  for (uint32_t t = 0; ok && t < c->net->transitions.len; t++)
    ok = !c->left[t] || no_increase(c, t, y);
  for (uint32_t i = 0; ok && i < uses.len; i++) {
    uint32_t trap = uses.at[i].place;
    limit -= uses.at[i].count;
    for (uint32_t k = trap ? c->e->traps.ends.data[trap - 1] : 0;
         k < c->e->traps.ends.data[trap]; k++) {
      uint32_t p = c->e->traps.items.data[k];
      y[p] -= uses.at[i].count;
      if (y[p] < 0) { /* p may lie outside of y: put it back at once */
        ok = false;
        y[p] = 0;
        break;
      }
    }
  }
  c->limit[number] = limit;
  for (uint32_t i = 0; i < row.len; i++) {
    uint32_t p = row.at[i].place;
    if (ok && y[p] > 0) vec_push(&c->weights[p], (Weight){number, (uint32_t)y[p]});
    y[p] = 0;
  }
  return (ok && limit >= 0) || fails(c, "invariant", number);
}

static bool check_invariants(Check *c) {
  __int128 *y = mem_alloc_zero((c->net->place_names.len + 1) * sizeof *y);
  bool ok = true;
  for (uint32_t i = 0; ok && !c->late && i < c->e->invariants.ends.len; i++) {
    ok = check_invariant(c, i, y);
    c->late = net_time_is_up(c->limits);
  }
  mem_free(y);
  return ok;
}

/* With the values of a marking: is it above the limit, and at those before? */
static bool is_beyond(const Check *c, uint32_t number) {
  if (c->value[number] <= c->limit[number]) return false;
  for (uint32_t n = c->e->after.data[number]; n != NET_NONE; n = c->e->after.data[n])
    if (c->value[n] < c->limit[n]) return false;
  return true;
}

/* Is no reachable marking above m? */
static bool is_excluded(Check *c, MarkingView m) {
  bool excluded = false;
  for (uint32_t i = 0; i < m.len; i++) {
    uint32_t p = m.at[i].place;
    excluded = excluded || c->in_siphon[p];
    for (uint32_t k = 0; k < c->weights[p].len; k++) {
      Weight w = c->weights[p].data[k];
      c->value[w.row] += (__int128)w.weight * m.at[i].count;
    }
  }
  for (uint32_t i = 0; i < m.len; i++) {
    uint32_t p = m.at[i].place;
    for (uint32_t k = 0; !excluded && k < c->weights[p].len; k++)
      excluded = is_beyond(c, c->weights[p].data[k].row);
  }
  for (uint32_t i = 0; i < m.len; i++) {
    uint32_t p = m.at[i].place;
    for (uint32_t k = 0; k < c->weights[p].len; k++)
      c->value[c->weights[p].data[k].row] = 0;
  }
  return excluded;
}

/* ---- 5: the basis ----------------------------------------------------------------- */

/* Files each marking under its place with the fewest markings overall. */
static void file_basis(Check *c) {
  uint32_t *uses = mem_alloc_zero((c->net->place_names.len + 1) * sizeof *uses);
  for (uint32_t i = 0; i < c->e->basis.items.len; i++)
    uses[c->e->basis.items.data[i].place]++;
  for (uint32_t i = 0; i < c->e->basis.ends.len; i++) {
    MarkingView m = token_row(&c->e->basis, i);
    if (m.len == 0) {
      c->empty_in_basis = true;
      continue;
    }
    uint32_t best = m.at[0].place;
    for (uint32_t k = 1; k < m.len; k++)
      if (uses[m.at[k].place] < uses[best]) best = m.at[k].place;
    vec_push(&c->filed[best], i);
  }
  mem_free(uses);
}

static bool is_at_most(MarkingView a, MarkingView b) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < b.len && k < a.len; i++) {
    if (b.at[i].place < a.at[k].place) continue;
    if (b.at[i].place > a.at[k].place || b.at[i].count < a.at[k].count) return false;
    k++;
  }
  return k == a.len;
}

static bool is_in_set(const Check *c, MarkingView m) {
  if (c->empty_in_basis) return true;
  for (uint32_t i = 0; i < m.len; i++) {
    const Numbers *list = &c->filed[m.at[i].place];
    for (uint32_t k = 0; k < list->len; k++)
      if (is_at_most(token_row(&c->e->basis, list->data[k]), m)) return true;
  }
  return false;
}

static bool check_initial(Check *c) {
  for (uint32_t i = 0; i < c->e->basis.ends.len; i++) {
    MarkingView m = token_row(&c->e->basis, i);
    bool above = true;
    for (uint32_t k = 0; k < m.len; k++)
      above = above && m.at[k].count <= c->net->initial.data[m.at[k].place];
    if (above) return fails(c, "the initial marking is in the set: basis", i);
  }
  return true;
}

static bool check_targets(Check *c) {
  for (uint32_t i = 0; i < c->net->targets.len; i++)
    if (!is_in_set(c, net_target(c->net, i)) && !is_excluded(c, net_target(c->net, i)))
      return fails(c, "target", i);
  return true;
}

/* One predecessor: what t needs, and for each demand some way of meeting it. `share` runs
 * through all ways by recursion: demand `at`, source number `source` of it, `left`
 * tokens still to be placed. The depth is bounded by the arcs of one transition. */
typedef struct {
  Check *c;
  uint32_t t;
  MarkingView m;
  Marking *out;
} Ways;

static bool place_demands(Ways *w, uint32_t at);

static bool judge(Ways *w) {
  Marking sorted = {0};
  for (uint32_t i = 0; i < w->out->len; i++) vec_push(&sorted, w->out->data[i]);
  bool fits = net_tidy(sorted.data, &sorted.len);
  MarkingView m = {sorted.data, sorted.len};
  bool ok = fits && (is_excluded(w->c, m) || is_in_set(w->c, m));
  vec_free(&sorted);
  return ok;
}

static bool share(Ways *w, uint32_t at, uint32_t from, uint32_t left) {
  const Net *net = w->c->net;
  uint32_t len, place = w->m.at[at].place;
  const Transfer *moves = moves_of(net, w->t, &len);
  if (left == 0) return place_demands(w, at + 1);
  /* source 0 is the place itself, unless its tokens leave; then the transfers */
  for (uint32_t source = from; source <= len; source++) {
    bool gives = source > 0 && moves[source - 1].to == place;
    if (source == 0) {
      gives = true;
      for (uint32_t i = 0; i < len; i++) gives = gives && moves[i].from != place;
    }
    if (!gives) continue;
    for (uint32_t n = left; n > 0; n--) {
      vec_push(w->out, (Tokens){source ? moves[source - 1].from : place, n});
      bool ok = share(w, at, source + 1, left - n);
      w->out->len--;
      if (!ok) return false;
    }
  }
  return true;
}

static bool place_demands(Ways *w, uint32_t at) {
  if (at == w->m.len) return judge(w);
  uint32_t got = tokens_at(net_post(w->c->net, w->t), w->m.at[at].place);
  uint32_t want = w->m.at[at].count > got ? w->m.at[at].count - got : 0;
  return share(w, at, 0, want);
}

static bool check_predecessors(Check *c, uint32_t t, MarkingView m, Marking *scratch) {
  MarkingView pre = net_pre(c->net, t);
  Ways ways = {c, t, m, scratch};
  vec_clear(scratch);
  for (uint32_t i = 0; i < pre.len; i++) vec_push(scratch, pre.at[i]);
  return place_demands(&ways, 0);
}

static bool check_closed(Check *c) {
  Marking scratch = {0};
  bool ok = true;
  for (uint32_t i = 0; ok && !c->late && i < c->e->basis.ends.len; i++) {
    MarkingView m = token_row(&c->e->basis, i);
    /* Only a transition that adds to a place of m has predecessors not above m. */
    for (uint32_t k = 0; ok && k < m.len; k++) {
      const Numbers *feeders = &c->feeders[m.at[k].place];
      for (uint32_t j = 0; ok && j < feeders->len; j++) {
        uint32_t t = feeders->data[j];
        if (!c->matters[t] || c->stamp[t] == i + 1) continue;
        c->stamp[t] = i + 1;
        ok = check_predecessors(c, t, m, &scratch) ||
             fails(c, "a predecessor of basis", i);
      }
    }
    if (i % 16 == 0) c->late = net_time_is_up(c->limits);
  }
  vec_free(&scratch);
  return ok;
}

/* ---- all of it -------------------------------------------------------------------- */

static void set_up(Check *c) {
  uint32_t places = c->net->place_names.len, transitions = c->net->transitions.len;
  uint32_t invariants = c->e->invariants.ends.len;
  c->in_siphon = mem_alloc_zero(places + 1);
  c->endless = mem_alloc_zero(places + 1);
  c->depends = mem_alloc_zero(places + 1);
  c->matters = mem_alloc_zero(transitions + 1);
  c->feeders = mem_alloc_zero((places + 1) * sizeof *c->feeders);
  c->needers = mem_alloc_zero((places + 1) * sizeof *c->needers);
  c->left = mem_alloc_zero(transitions + 1);
  c->marked = mem_alloc_zero(places + 1);
  c->weights = mem_alloc_zero((places + 1) * sizeof *c->weights);
  c->filed = mem_alloc_zero((places + 1) * sizeof *c->filed);
  c->stamp = mem_alloc_zero((transitions + 1) * sizeof *c->stamp);
  c->limit = mem_alloc_zero((invariants + 1) * sizeof *c->limit);
  c->value = mem_alloc_zero((invariants + 1) * sizeof *c->value);
}

static void tear_down(Check *c) {
  for (uint32_t p = 0; p < c->net->place_names.len; p++) {
    vec_free(&c->feeders[p]);
    vec_free(&c->needers[p]);
    vec_free(&c->weights[p]);
    vec_free(&c->filed[p]);
  }
  mem_free(c->in_siphon), mem_free(c->endless), mem_free(c->depends);
  mem_free(c->matters), mem_free(c->feeders), mem_free(c->weights), mem_free(c->filed);
  mem_free(c->needers), mem_free(c->left), mem_free(c->marked);
  mem_free(c->stamp), mem_free(c->limit), mem_free(c->value);
}

CheckResult check_proof(const Net *net, const NetEvidence *e, const NetLimits *limits,
                        Str *why) {
  Check c = {.net = net, .e = e, .limits = limits, .why = why};
  set_up(&c);
  bool ok = check_siphon(&c);
  if (ok) {
    find_what_matters(&c);
    file_basis(&c);
    ok = check_traps(&c) && check_invariants(&c) && check_initial(&c);
    ok = ok && !c.late && check_targets(&c) && check_closed(&c);
  }
  tear_down(&c);
  if (c.late) return CHECK_UNFINISHED;
  return ok ? CHECK_HOLDS : CHECK_FAILS;
}

static CheckResult check_safe(const Net *net, const NetEvidence *evidence,
                              const NetLimits *limits, Str *why) {
  return evidence->cover.ends.len ? check_cover(net, evidence, limits, why)
                                  : check_proof(net, evidence, limits, why);
}

CheckResult check_evidence(const Net *net, const NetEvidence *evidence,
                           const NetLimits *limits, Str *why) {
  if (evidence->unsafe) return check_firing_run(net, evidence, why);
  if (evidence->fused.len == 0) return check_safe(net, evidence, limits, why);
  Net *fused = check_fused(net, evidence, why);
  CheckResult result = fused ? check_safe(fused, evidence, limits, why) : CHECK_FAILS;
  net_free(fused);
  return result;
}
