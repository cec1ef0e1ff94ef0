/* See solve.h. */
#include "net/solve.h"

#include "base/mem.h"
#include "base/str.h"
#include "net/check.h"
#include "net/core.h"
#include "net/cover.h"
#include "net/forward.h"
#include "net/fuse.h"
#include "net/lp.h"
#include "net/minimise.h"

enum { FIRST_SLICE = 20000, LARGEST_SLICE = 20000000 };

void net_result_free(NetResult *result) {
  mem_free(result->reason);
  evidence_free(&result->evidence);
}

static void unknown(NetResult *r, const char *reason) {
  r->verdict = NET_UNKNOWN;
  mem_free(r->reason);
  r->reason = str_dup(reason);
}

/* ---- from the core to the net ----------------------------------------------------- */

/* How many tokens of each place the run needs in the beginning, where places are never
 * emptied: what the target wants and each step takes, less what steps put there later. */
static uint64_t *needs_of_run(const Net *net, const NetEvidence *e) {
  uint64_t *need = mem_alloc_zero((net->place_names.len + 1) * sizeof *need);
  MarkingView target = net_target(net, e->target);
  for (uint32_t i = 0; i < target.len; i++) need[target.at[i].place] = target.at[i].count;
  for (uint32_t i = e->firings.len; i > 0; i--) {
    MarkingView pre = net_pre(net, e->firings.data[i - 1]);
    MarkingView post = net_post(net, e->firings.data[i - 1]);
    for (uint32_t k = 0; k < post.len; k++) {
      uint64_t *here = &need[post.at[k].place];
      *here = *here > post.at[k].count ? *here - post.at[k].count : 0;
    }
    for (uint32_t k = 0; k < pre.len; k++) need[pre.at[k].place] += pre.at[k].count;
  }
  return need;
}

static bool is_source(const Net *net, uint32_t place) {
  for (uint32_t i = 0; i < net->transfers.len; i++)
    if (net->transfers.data[i].from == place) return true;
  return false;
}

/* `first` is the marking of the core that the run starts from, at least. */
static bool choose_start(const Net *net, const Core *core, MarkingView first,
                         NetEvidence *e) {
  uint64_t *need = needs_of_run(net, e);
  bool fits = true;
  for (uint32_t p = 0; p < net->place_names.len; p++) {
    if (net->initial.data[p] != NET_OMEGA) continue;
    uint64_t count = 0;
    if (!is_source(net, p))
      count = need[p];
    else
      for (uint32_t i = 0; i < first.len; i++)
        if (core->place_of.data[first.at[i].place] == p) count = first.at[i].count;
    fits = fits && count <= NET_MOST;
    if (count > 0) vec_push(&e->start, (Tokens){p, (uint32_t)count});
  }
  mem_free(need);
  return fits;
}

static void count_threads(const Net *net, NetResult *r) {
  const NetEvidence *e = &r->evidence;
  if (!net->programs) return;
  r->threads = net->running;
  for (uint32_t i = 0; i < e->start.len; i++) r->threads += e->start.data[i].count;
  for (uint32_t i = 0; i < e->firings.len; i++)
    r->threads += net->transitions.data[e->firings.data[i]].spawns;
}

/* `path` is in terms of the smaller net, or of the core when there is none. */
static void lift_run(const Net *net, const Core *core, const Fused *fused,
                     const Numbers *path, uint32_t target, MarkingView first,
                     NetResult *r) {
  NetEvidence *e = &r->evidence;
  e->unsafe = true;
  e->target = core->target_of.data[target];
  for (uint32_t i = 0; i < path->len; i++)
    if (fused)
      fuse_expand(fused, path->data[i], &e->firings);
    else
      vec_push(&e->firings, path->data[i]);
  for (uint32_t i = 0; i < e->firings.len; i++)
    e->firings.data[i] = core->transition_of.data[e->firings.data[i]];
  r->verdict = NET_UNSAFE;
  if (choose_start(net, core, first, e))
    count_threads(net, r);
  else
    unknown(r, "the run needs too many tokens to be counted");
}

static void lift_row(const Core *core, MarkingView row, TokenRows *out) {
  for (uint32_t i = 0; i < row.len; i++)
    vec_push(&out->items,
             (Tokens){core->place_of.data[row.at[i].place], row.at[i].count});
  vec_push(&out->ends, out->items.len);
}

static void lift_pool(const Core *core, const Pool *pool, NetEvidence *e) {
  for (uint32_t i = 0; i < pool->traps.len; i++) {
    const Trap *trap = &pool->traps.data[i];
    for (uint32_t k = 0; k < trap->len; k++)
      vec_push(&e->traps.items,
               core->place_of.data[pool->trap_places.data[trap->start + k]]);
    vec_push(&e->traps.ends, e->traps.items.len);
  }
  for (uint32_t i = 0; i < pool->invariants.len; i++) {
    const Invariant *v = &pool->invariants.data[i];
    lift_row(core, (MarkingView){pool->weights.data + v->y, v->y_len}, &e->invariants);
    for (uint32_t k = 0; k < v->uses_len; k++) {
      TrapUse use = pool->uses.data[v->uses + k];
      vec_push(&e->uses.items, (Tokens){use.trap, use.times});
    }
    vec_push(&e->uses.ends, e->uses.items.len);
    vec_push(&e->after, v->after);
  }
}

static void lift_proof(const Core *core, const Backward *b, NetResult *r) {
  NetEvidence *e = &r->evidence;
  const Basis *basis = backward_basis(b);
  for (uint32_t i = 0; i < core->dead.len; i++) vec_push(&e->siphon, core->dead.data[i]);
  lift_pool(core, backward_pool(b), e);
  for (uint32_t i = 0; i < basis->items.len; i++)
    if (basis->items.data[i].alive) lift_row(core, basis_view(basis, i), &e->basis);
  r->verdict = NET_SAFE;
  r->method = e->basis.ends.len        ? "backward search"
              : e->invariants.ends.len ? "invariants"
                                       : "structure";
}

/* Places outside of the core can have no token or, as far as the target is concerned, any
 * number. */
static void lift_cover(const Net *net, const Core *core, Cover *cover, NetResult *r) {
  NetEvidence *e = &r->evidence;
  bool *known = mem_alloc_zero(net->place_names.len + 1);
  for (uint32_t i = 0; i < core->dead.len; i++) known[core->dead.data[i]] = true;
  for (uint32_t i = 0; i < core->place_of.len; i++) known[core->place_of.data[i]] = true;
  for (uint32_t p = 0; p < net->place_names.len; p++)
    if (!known[p]) vec_push(&e->loose, p);
  mem_free(known);
  cover_rows(cover, &e->cover);
  for (uint32_t i = 0; i < e->cover.items.len; i++)
    e->cover.items.data[i].place = core->place_of.data[e->cover.items.data[i].place];
  r->verdict = NET_SAFE;
  r->method = "coverability set";
}

/* ---- solving ---------------------------------------------------------------------- */

/* Beside the backward search, which always has an answer in the end, go others that may
 * have one earlier. */
typedef enum { BY_BACKWARD, BY_FORWARD, BY_COVER } Searcher;

typedef struct {
  Backward *backward;
  Forward *forward;       /* or NULL: not for this net, or given up */
  Cover *cover;           /* likewise */
  uint64_t seen, covered; /* markings of the two */
  Searcher by;            /* whose answer it is */
} Searches;

static SearchStatus go_forward(Searches *s, uint64_t slice) {
  if (!s->forward) return SEARCH_RUNNING;
  SearchStatus status = forward_run(s->forward, slice);
  s->seen = forward_count(s->forward);
  if (status != SEARCH_STOPPED) return status;
  forward_free(s->forward);
  s->forward = NULL;
  return SEARCH_RUNNING;
}

static SearchStatus go_covering(Searches *s, uint64_t slice) {
  if (!s->cover) return SEARCH_RUNNING;
  SearchStatus status = cover_run(s->cover, slice);
  s->covered = cover_count(s->cover);
  if (status != SEARCH_STOPPED) return status;
  cover_free(s->cover);
  s->cover = NULL;
  return SEARCH_RUNNING;
}

/* The searches in turn, in slices of equal work, until one has an answer: so the answer
 * does not depend on the clock. Where linear programming took longer than its slice, the
 * others go on for as long, in turns that grow: one of them may be done soon. */
static SearchStatus take_turns(Searches *s, const NetLimits *limits) {
  SearchStatus status = SEARCH_RUNNING;
  uint64_t slice = FIRST_SLICE;
  while (status == SEARCH_RUNNING && !net_time_is_up(limits)) {
    uint64_t before = backward_cost(s->backward);
    s->by = BY_BACKWARD;
    status = backward_run(s->backward, slice);
    uint64_t spent = backward_cost(s->backward) - before;
    uint64_t others = spent > slice ? spent : slice;
    for (uint64_t part = slice; status == SEARCH_RUNNING && others > 0; part *= 2) {
      if (part > others) part = others;
      others -= part;
      if (net_time_is_up(limits)) break;
      s->by = BY_FORWARD;
      status = go_forward(s, part);
      if (status != SEARCH_RUNNING || net_time_is_up(limits)) break;
      s->by = BY_COVER;
      status = go_covering(s, part);
    }
    if (slice < LARGEST_SLICE) slice *= 2;
  }
  return status;
}

static SearchStatus only_cover(Searches *s, const NetLimits *limits) {
  SearchStatus status = SEARCH_RUNNING;
  s->by = BY_COVER;
  while (status == SEARCH_RUNNING && s->cover && !net_time_is_up(limits))
    status = go_covering(s, LARGEST_SLICE);
  return status;
}

static void take_run(const Net *net, const Core *core, const Fused *fused,
                     const Searches *s, NetResult *r) {
  Numbers path = {0};
  MarkingView first = {NULL, 0};
  uint32_t target;
  if (s->by == BY_BACKWARD) {
    const Basis *basis = backward_basis(s->backward);
    target = backward_path(s->backward, &path);
    first = basis_view(basis, basis->items.len - 1);
  } else {
    target = s->by == BY_FORWARD ? forward_path(s->forward, &path)
                                 : cover_path(s->cover, &path, &first);
  }
  lift_run(net, core, fused, &path, target, first, r);
  r->method = s->by == BY_BACKWARD  ? "backward search"
              : s->by == BY_FORWARD ? "forward search"
                                    : "coverability set";
  vec_free(&path);
}

/* For all searches but the plain one. */
static bool is_prepared(NetResult *r) {
  Err err = {0};
  Str text = {0};
  if (lp_prepare(&err)) return true;
  err_format(&err, &text);
  unknown(r, str_text(&text));
  r->defect = true;
  str_free(&text);
  err_free(&err);
  return false;
}

static void search(const Net *net, const Core *core, const Fused *fused,
                   const NetOptions *options, NetResult *r) {
  const NetLimits *limits = &options->limits;
  const Net *small = fused ? fused->net : core->net;
  bool plain = options->search == NET_PLAIN;
  bool alone = plain || options->search == NET_BACKWARD;
  if (!plain && !is_prepared(r)) return;
  Searches s = {.backward = backward_new(small, limits, plain),
                .forward = alone ? NULL : forward_new(small, limits),
                .cover = alone ? NULL : cover_new(small, limits)};
  SearchStatus status =
      options->search == NET_COVER ? only_cover(&s, limits) : take_turns(&s, limits);
  r->stats = *backward_stats(s.backward);
  r->invariants = backward_pool(s.backward)->invariants.len;
  r->traps = backward_pool(s.backward)->traps.len;
  r->seen = s.seen;
  r->covered = s.covered;
  if (status == SEARCH_SAFE && s.by == BY_COVER)
    lift_cover(net, core, s.cover, r);
  else if (status == SEARCH_SAFE)
    lift_proof(core, s.backward, r);
  else if (status == SEARCH_UNSAFE)
    take_run(net, core, fused, &s, r);
  else
    unknown(r, status == SEARCH_STOPPED ? backward_reason(s.backward)
               : net_time_is_up(limits) ? "the time limit was reached"
                                        : "the net is not for this search alone");
  for (uint32_t i = 0; fused && status == SEARCH_SAFE && i < fused->places.len; i++)
    vec_push(&r->evidence.fused, core->place_of.data[fused->places.data[i]]);
  backward_free(s.backward);
  forward_free(s.forward);
  cover_free(s.cover);
}

static void confirm(const Net *net, const NetOptions *options, NetResult *r) {
  Str why = {0};
  progress_phase(options->limits.progress, "check", 0);
  CheckResult checked = check_evidence(net, &r->evidence, &options->limits, &why);
  if (checked == CHECK_UNFINISHED) {
    unknown(r, "the time limit was reached while the evidence was being checked");
  } else if (checked == CHECK_FAILS) {
    char *text = str_printf("the evidence found does not hold: %s", str_text(&why));
    unknown(r, text);
    r->defect = true;
    mem_free(text);
  }
  str_free(&why);
}

void net_solve(const Net *net, const NetOptions *options, NetResult *ret) {
  *ret = (NetResult){0};
  progress_phase(options->limits.progress, "search", 0);
  Core *core = core_new(net);
  /* The checker refuses to leave places out of a net with transfers anywhere. */
  bool keep = options->search == NET_PLAIN || net->has_transfers;
  Fused *fused = keep ? NULL : fuse_new(core->net);
  const Net *small = fused ? fused->net : core->net;
  ret->core_places = core->net->place_names.len - (fused ? fused->places.len : 0);
  ret->core_transitions = small->transitions.len;
  ret->core_targets = core->net->targets.len;
  search(net, core, fused, options, ret);
  fuse_free(fused);
  core_free(core);
  if (ret->verdict != NET_UNKNOWN) confirm(net, options, ret);
  if (ret->verdict == NET_UNSAFE && net->programs && !options->any_run)
    net_minimise(net, options, ret);
}
