/* See fuse.h. A place goes only where that does not make the net larger: with one
 * transition before or one after, or two of each. The places around are looked at again,
 * until nothing changes. New transitions that add nothing anywhere are dropped, as are
 * repetitions. */
#include "net/fuse.h"

#include "base/mem.h"

enum {
  MOST_ARCS = 24,      /* of a fused transition, on each side */
  MOST_STEPS = 400,    /* that a fused transition stands for */
  MOST_COMPARED = 100, /* transitions that a new one is compared with */
};

/* A transition under way; it never changes, but ends when it is fused. */
typedef struct {
  uint32_t pre, pre_len, post, post_len; /* in `arcs` */
  uint32_t steps, steps_len;             /* in `steps` */
  bool gone;
} Piece;

typedef struct {
  const Net *net;
  VEC(Piece) pieces;
  VEC(Tokens) arcs;
  Numbers steps;
  Numbers *makers, *takers; /* per place: pieces, also gone ones */
  bool *fixed;              /* per place: it has to stay */
  bool *waiting;            /* per place: in `queue` */
  Numbers queue, places;
  Marking pre, post;
} Fuser;

static MarkingView pre_of(const Fuser *f, const Piece *x) {
  return (MarkingView){f->arcs.data + x->pre, x->pre_len};
}

static MarkingView post_of(const Fuser *f, const Piece *x) {
  return (MarkingView){f->arcs.data + x->post, x->post_len};
}

static uint32_t tokens_at(MarkingView m, uint32_t place) {
  for (uint32_t i = 0; i < m.len && m.at[i].place <= place; i++)
    if (m.at[i].place == place) return m.at[i].count;
  return 0;
}

static void enqueue(Fuser *f, uint32_t place) {
  if (f->fixed[place] || f->waiting[place]) return;
  f->waiting[place] = true;
  vec_push(&f->queue, place);
}

/* ---- pieces ----------------------------------------------------------------------- */

static bool same_view(MarkingView a, MarkingView b) {
  return a.len == b.len && (a.len == 0 || !memcmp(a.at, b.at, a.len * sizeof *a.at));
}

static bool adds_something(MarkingView pre, MarkingView post) {
  for (uint32_t i = 0; i < post.len; i++)
    if (post.at[i].count > tokens_at(pre, post.at[i].place)) return true;
  return false;
}

static bool is_repetition(const Fuser *f, MarkingView pre, MarkingView post) {
  const Numbers *list = &f->makers[post.at[0].place];
  uint32_t first = list->len > MOST_COMPARED ? list->len - MOST_COMPARED : 0;
  for (uint32_t i = first; i < list->len; i++) {
    const Piece *x = &f->pieces.data[list->data[i]];
    if (!x->gone && same_view(pre_of(f, x), pre) && same_view(post_of(f, x), post))
      return true;
  }
  return false;
}

static uint32_t put_arcs(Fuser *f, MarkingView m) {
  uint32_t start = f->arcs.len;
  vec_reserve(&f->arcs, m.len);
  for (uint32_t i = 0; i < m.len; i++) f->arcs.data[f->arcs.len++] = m.at[i];
  return start;
}

/* A piece with the given arcs (not in `arcs`), whose steps are the last ones from `steps`
 * on. */
static void add_piece(Fuser *f, MarkingView pre, MarkingView post, uint32_t steps) {
  uint32_t id = f->pieces.len;
  if (!adds_something(pre, post) || is_repetition(f, pre, post)) {
    f->steps.len = steps;
    return;
  }
  Piece x = {.pre_len = pre.len,
             .post_len = post.len,
             .steps = steps,
             .steps_len = f->steps.len - steps};
  x.pre = put_arcs(f, pre);
  x.post = put_arcs(f, post);
  vec_push(&f->pieces, x);
  for (uint32_t i = 0; i < pre.len; i++) vec_push(&f->takers[pre.at[i].place], id);
  for (uint32_t i = 0; i < post.len; i++) vec_push(&f->makers[post.at[i].place], id);
}

static void drop_gone(Fuser *f, Numbers *list) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->len; i++)
    if (!f->pieces.data[list->data[i]].gone) list->data[kept++] = list->data[i];
  list->len = kept;
}

/* ---- one place -------------------------------------------------------------------- */

static bool is_small(const Fuser *f, uint32_t place) {
  uint64_t before = f->makers[place].len, after = f->takers[place].len;
  uint32_t arcs = 0, arcs_after = 0, steps = 0, steps_after = 0;
  if (before == 0 || after == 0 || before * after > before + after) return false;
  for (uint32_t i = 0; i < before; i++) {
    const Piece *x = &f->pieces.data[f->makers[place].data[i]];
    uint32_t most = x->pre_len > x->post_len ? x->pre_len : x->post_len;
    arcs = most > arcs ? most : arcs;
    steps = x->steps_len > steps ? x->steps_len : steps;
  }
  for (uint32_t i = 0; i < after; i++) {
    const Piece *x = &f->pieces.data[f->takers[place].data[i]];
    uint32_t most = x->pre_len > x->post_len ? x->pre_len : x->post_len;
    arcs_after = most > arcs_after ? most : arcs_after;
    steps_after = x->steps_len > steps_after ? x->steps_len : steps_after;
  }
  return arcs + arcs_after <= MOST_ARCS && steps + steps_after <= MOST_STEPS;
}

/* Single arcs, no loop at the place, and one of the two reasons of fuse.h. */
static bool is_passage(const Fuser *f, uint32_t place) {
  bool goes_on = true, waits = true;
  for (uint32_t i = 0; i < f->makers[place].len; i++) {
    const Piece *x = &f->pieces.data[f->makers[place].data[i]];
    if (tokens_at(post_of(f, x), place) != 1 || tokens_at(pre_of(f, x), place))
      return false;
    waits = waits && x->post_len == 1;
  }
  for (uint32_t i = 0; i < f->takers[place].len; i++) {
    const Piece *x = &f->pieces.data[f->takers[place].data[i]];
    if (tokens_at(pre_of(f, x), place) != 1) return false;
    goes_on = goes_on && x->pre_len == 1;
  }
  return goes_on || waits;
}

static void add_without(Marking *out, MarkingView m, uint32_t place) {
  for (uint32_t i = 0; i < m.len; i++)
    if (m.at[i].place != place) vec_push(out, m.at[i]);
}

static void add_steps(Fuser *f, const Piece *x) {
  vec_reserve(&f->steps, x->steps_len);
  for (uint32_t i = 0; i < x->steps_len; i++)
    f->steps.data[f->steps.len++] = f->steps.data[x->steps + i];
}

/* `a` puts one token into the place, which `b` takes: nothing else of what `a` makes is
 * needed by `b`, or `a` makes nothing else. False when a number grows too large. */
static bool join(Fuser *f, uint32_t a, uint32_t b, uint32_t place) {
  const Piece first = f->pieces.data[a], second = f->pieces.data[b];
  uint32_t steps = f->steps.len;
  vec_clear(&f->pre), vec_clear(&f->post);
  add_without(&f->pre, pre_of(f, &first), place);
  add_without(&f->pre, pre_of(f, &second), place);
  add_without(&f->post, post_of(f, &first), place);
  add_without(&f->post, post_of(f, &second), place);
  if (!net_tidy(f->pre.data, &f->pre.len) || !net_tidy(f->post.data, &f->post.len))
    return false;
  add_steps(f, &first);
  add_steps(f, &second);
  add_piece(f, (MarkingView){f->pre.data, f->pre.len},
            (MarkingView){f->post.data, f->post.len}, steps);
  return true;
}

static void end_piece(Fuser *f, uint32_t id) {
  Piece *x = &f->pieces.data[id];
  x->gone = true;
  for (uint32_t i = 0; i < x->pre_len; i++) enqueue(f, f->arcs.data[x->pre + i].place);
  for (uint32_t i = 0; i < x->post_len; i++) enqueue(f, f->arcs.data[x->post + i].place);
}

static void try_place(Fuser *f, uint32_t place) {
  Numbers *makers = &f->makers[place], *takers = &f->takers[place];
  drop_gone(f, makers);
  drop_gone(f, takers);
  if (!is_small(f, place) || !is_passage(f, place)) return;
  uint32_t pieces = f->pieces.len;
  bool fits = true;
  for (uint32_t i = 0; i < makers->len && fits; i++)
    for (uint32_t k = 0; k < takers->len && fits; k++)
      fits = join(f, makers->data[i], takers->data[k], place);
  f->fixed[place] = true;
  if (!fits) { /* as if nothing had been */
    for (uint32_t i = pieces; i < f->pieces.len; i++) f->pieces.data[i].gone = true;
    return;
  }
  for (uint32_t i = 0; i < makers->len; i++) end_piece(f, makers->data[i]);
  for (uint32_t i = 0; i < takers->len; i++) end_piece(f, takers->data[i]);
  vec_push(&f->places, place);
}

/* ---- all of them ------------------------------------------------------------------ */

static void start(Fuser *f) {
  const Net *net = f->net;
  for (uint32_t i = 0; i < net->target_tokens.len; i++)
    f->fixed[net->target_tokens.data[i].place] = true;
  for (uint32_t p = 0; p < net->place_names.len; p++)
    if (net->initial.data[p] != 0) f->fixed[p] = true;
  for (uint32_t t = 0; t < net->transitions.len; t++) {
    uint32_t steps = f->steps.len;
    vec_push(&f->steps, t);
    add_piece(f, net_pre(net, t), net_post(net, t), steps);
  }
  for (uint32_t p = 0; p < net->place_names.len; p++) enqueue(f, p);
}

static void build(const Fuser *f, Fused *out) {
  const Net *net = f->net;
  for (uint32_t p = 0; p < net->place_names.len; p++)
    net_add_place(out->net, net->place_names.data[p], net->initial.data[p]);
  for (uint32_t n = 0; n < f->pieces.len; n++) {
    const Piece *x = &f->pieces.data[n];
    if (x->gone) continue;
    net_begin_transition(out->net, NULL, 0);
    for (uint32_t i = 0; i < x->pre_len; i++)
      net_add_pre(out->net, f->arcs.data[x->pre + i].place,
                  f->arcs.data[x->pre + i].count);
    for (uint32_t i = 0; i < x->post_len; i++)
      net_add_post(out->net, f->arcs.data[x->post + i].place,
                   f->arcs.data[x->post + i].count);
    net_end_transition(out->net);
    for (uint32_t i = 0; i < x->steps_len; i++)
      vec_push(&out->steps, f->steps.data[x->steps + i]);
    vec_push(&out->ends, out->steps.len);
  }
  Marking target = {0};
  for (uint32_t i = 0; i < net->targets.len; i++) {
    MarkingView m = net_target(net, i);
    vec_clear(&target);
    for (uint32_t k = 0; k < m.len; k++) vec_push(&target, m.at[k]);
    net_add_target(out->net, target.data, target.len, NULL);
  }
  vec_free(&target);
  for (uint32_t i = 0; i < f->places.len; i++) vec_push(&out->places, f->places.data[i]);
}

static void release(Fuser *f) {
  for (uint32_t p = 0; p < f->net->place_names.len; p++) {
    vec_free(&f->makers[p]);
    vec_free(&f->takers[p]);
  }
  mem_free(f->makers), mem_free(f->takers), mem_free(f->fixed), mem_free(f->waiting);
  vec_free(&f->pieces), vec_free(&f->arcs), vec_free(&f->steps);
  vec_free(&f->queue), vec_free(&f->places), vec_free(&f->pre), vec_free(&f->post);
}

Fused *fuse_new(const Net *net) {
  uint32_t places = net->place_names.len;
  Fused *fused = NULL;
  Fuser f = {.net = net};
  if (net->has_transfers) return NULL;
  f.makers = mem_alloc_zero((places + 1) * sizeof *f.makers);
  f.takers = mem_alloc_zero((places + 1) * sizeof *f.takers);
  f.fixed = mem_alloc_zero(places + 1);
  f.waiting = mem_alloc_zero(places + 1);
  start(&f);
  for (uint32_t i = 0; i < f.queue.len; i++) {
    uint32_t place = f.queue.data[i];
    f.waiting[place] = false;
    if (!f.fixed[place]) try_place(&f, place);
  }
  if (f.places.len > 0) {
    fused = mem_alloc_zero(sizeof *fused);
    fused->net = net_new(NULL);
    build(&f, fused);
    net_index(fused->net);
  }
  release(&f);
  return fused;
}

void fuse_free(Fused *fused) {
  if (!fused) return;
  net_free(fused->net);
  vec_free(&fused->places), vec_free(&fused->steps), vec_free(&fused->ends);
  mem_free(fused);
}

void fuse_expand(const Fused *fused, uint32_t t, Numbers *out) {
  for (uint32_t i = t ? fused->ends.data[t - 1] : 0; i < fused->ends.data[t]; i++)
    vec_push(out, fused->steps.data[i]);
}
