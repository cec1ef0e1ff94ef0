/* See forward.h. Two queues, one for successors by transitions of the easier run and one
 * for all, are served in turn; a marking takes its place by the estimate of the marking
 * it came from, so that only what is expanded is estimated. Markings are kept once. */
#include "net/forward.h"

#include "base/heap.h"
#include "base/mem.h"
#include "net/cursor.h"

#include <assert.h>
#include <xxhash.h>

enum { CLOCK_EVERY = 32 };

typedef struct {
  uint32_t start, len; /* in `tokens` */
  uint32_t parent, transition;
} State;

struct Forward {
  const Net *net;
  const NetLimits *limits;
  VEC(Tokens) tokens;
  VEC(State) states;
  Numbers slots; /* hash table: state + 1, or 0; the size is a power of two */
  VEC(uint8_t) expanded;
  Heap preferred, all;
  bool turn;
  uint64_t cost;
  uint32_t found, target;
  /* the marking being expanded, dense and sparse, and how far that has come: a large one
   * takes many turns */
  uint32_t current; /* NET_NONE: none */
  uint64_t key;
  Cursor cursor;
  Numbers sources; /* transitions that take from no place */
  uint32_t *marking;
  Marking here, next;
  /* the estimate */
  uint32_t *distance, *by; /* per place: and the transition that brings it, or NET_NONE */
  uint32_t *length, *missing; /* per transition */
  Heap open;
  VEC(uint8_t) helpful, wanted; /* per transition, per place */
  Numbers work;
};

Forward *forward_new(const Net *net, const NetLimits *limits) {
  uint32_t places = net->place_names.len, transitions = net->transitions.len;
  for (uint32_t p = 0; p < places; p++)
    if (net->initial.data[p] == NET_OMEGA) return NULL;
  if (places == 0 || transitions == 0 || net->targets.len == 0) return NULL;
  Forward *f = mem_alloc_zero(sizeof *f);
  f->net = net;
  f->limits = limits;
  f->marking = mem_alloc_zero(places * sizeof(uint32_t));
  f->distance = mem_alloc(places * sizeof(uint32_t));
  f->by = mem_alloc(places * sizeof(uint32_t));
  f->length = mem_alloc(transitions * sizeof(uint32_t));
  f->missing = mem_alloc(transitions * sizeof(uint32_t));
  (void)vec_extend(&f->helpful, transitions);
  (void)vec_extend(&f->wanted, places);
  (void)vec_extend(&f->slots, 1024);
  f->current = NET_NONE;
  for (uint32_t t = 0; t < transitions; t++)
    if (net->transitions.data[t].pre_len == 0) vec_push(&f->sources, t);
  return f;
}

void forward_free(Forward *f) {
  if (!f) return;
  vec_free(&f->tokens), vec_free(&f->states), vec_free(&f->slots);
  vec_free(&f->expanded), vec_free(&f->preferred), vec_free(&f->all);
  vec_free(&f->here), vec_free(&f->next), vec_free(&f->open);
  vec_free(&f->helpful), vec_free(&f->wanted), vec_free(&f->work);
  vec_free(&f->sources);
  mem_free(f->marking), mem_free(f->distance), mem_free(f->by);
  mem_free(f->length), mem_free(f->missing);
  mem_free(f);
}

/* ---- markings --------------------------------------------------------------------- */

static uint64_t hash(const Tokens *tokens, uint32_t len) {
  return len ? XXH3_64bits(tokens, len * sizeof *tokens) : 0;
}

static void grow_table(Forward *f) {
  uint32_t size = f->slots.len * 2;
  vec_clear(&f->slots);
  (void)vec_extend(&f->slots, size);
  for (uint32_t s = 0; s < f->states.len; s++) {
    const State *x = &f->states.data[s];
    uint32_t i = (uint32_t)hash(f->tokens.data + x->start, x->len) & (size - 1);
    while (f->slots.data[i]) i = (i + 1) & (size - 1);
    f->slots.data[i] = s + 1;
  }
}

/* Adds the marking `next`; NET_NONE when it was there. */
static uint32_t add_state(Forward *f, uint32_t parent, uint32_t transition) {
  uint32_t mask = f->slots.len - 1;
  uint32_t i = (uint32_t)hash(f->next.data, f->next.len) & mask;
  for (; f->slots.data[i]; i = (i + 1) & mask) {
    const State *x = &f->states.data[f->slots.data[i] - 1];
    if (x->len == f->next.len &&
        (x->len == 0 ||
         !memcmp(f->tokens.data + x->start, f->next.data, x->len * sizeof(Tokens))))
      return NET_NONE;
  }
  assert(2 * f->states.len <= f->slots.len);
  f->slots.data[i] = f->states.len + 1;
  vec_push(&f->states, (State){f->tokens.len, f->next.len, parent, transition});
  vec_push(&f->expanded, 0);
  for (uint32_t k = 0; k < f->next.len; k++) vec_push(&f->tokens, f->next.data[k]);
  if (f->states.len * 2 > f->slots.len) grow_table(f);
  return f->states.len - 1;
}

static bool covers(Forward *f, uint32_t state) {
  f->cost += f->net->targets.len;
  for (uint32_t i = 0; i < f->net->targets.len; i++) {
    MarkingView target = net_target(f->net, i);
    uint32_t k = 0, met = 0;
    for (; met < target.len; met++) {
      while (k < f->next.len && f->next.data[k].place < target.at[met].place) k++;
      if (k == f->next.len || f->next.data[k].place != target.at[met].place ||
          f->next.data[k].count < target.at[met].count)
        break;
    }
    if (met == target.len) {
      f->found = state;
      f->target = i;
      return true;
    }
  }
  return false;
}

/* ---- the estimate ----------------------------------------------------------------- */

static uint32_t add(uint32_t a, uint64_t b) {
  const uint64_t most = UINT32_MAX - 1;
  return a + b > most ? (uint32_t)most : (uint32_t)(a + b);
}

static void improve(Forward *f, uint32_t place, uint32_t distance, uint32_t by) {
  if (distance >= f->distance[place]) return;
  f->distance[place] = distance;
  f->by[place] = by;
  heap_push(&f->open, distance, place);
}

static void relax(Forward *f, uint32_t t) {
  MarkingView post = net_post(f->net, t);
  const NetTransition *x = &f->net->transitions.data[t];
  uint32_t distance = add(f->length[t], 1);
  for (uint32_t i = 0; i < post.len; i++) improve(f, post.at[i].place, distance, t);
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    Transfer move = f->net->transfers.data[x->transfer + i];
    if (move.to != NET_NOWHERE) improve(f, move.to, distance, t);
  }
}

static void measure(Forward *f) {
  const Net *net = f->net;
  uint32_t places = net->place_names.len, transitions = net->transitions.len;
  for (uint32_t p = 0; p < places; p++) f->distance[p] = UINT32_MAX;
  vec_clear(&f->open);
  for (uint32_t t = 0; t < transitions; t++) {
    f->length[t] = 0;
    f->missing[t] = net->transitions.data[t].pre_len;
    if (f->missing[t] == 0) relax(f, t);
  }
  for (uint32_t i = 0; i < f->here.len; i++)
    improve(f, f->here.data[i].place, 0, NET_NONE);
  while (f->open.len > 0) {
    HeapEntry e = heap_pop(&f->open);
    uint32_t p = e.item;
    if (e.key != f->distance[p]) continue;
    for (uint32_t i = net->take_start.data[p]; i < net->take_start.data[p + 1]; i++) {
      uint32_t t = net->take.data[i];
      f->length[t] = add(f->length[t], e.key);
      if (--f->missing[t] == 0) relax(f, t);
    }
  }
  f->cost += (net->arcs.len + net->transfers.len + places + transitions) / 2;
}

static uint64_t estimate_target(const Forward *f, MarkingView target) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < target.len; i++) {
    uint32_t p = target.at[i].place;
    if (f->distance[p] == UINT32_MAX) return UINT64_MAX;
    if (f->marking[p] >= target.at[i].count) continue;
    /* Places that are marked, but not enough, are as far as one more firing. */
    uint32_t each = f->distance[p] ? f->distance[p] : 1;
    sum += (uint64_t)each * (target.at[i].count - f->marking[p]);
  }
  return sum;
}

/* Marks the transitions of the easier run to the target; the enabled ones are helpful. */
static void extract(Forward *f, MarkingView target) {
  memset(f->helpful.data, 0, f->helpful.len);
  memset(f->wanted.data, 0, f->wanted.len);
  vec_clear(&f->work);
  for (uint32_t i = 0; i < target.len; i++) {
    f->wanted.data[target.at[i].place] = 1;
    vec_push(&f->work, target.at[i].place);
  }
  while (f->work.len > 0) {
    uint32_t t = f->by[vec_pop(&f->work)];
    if (t == NET_NONE || f->helpful.data[t]) continue;
    MarkingView pre = net_pre(f->net, t);
    f->helpful.data[t] = 1;
    for (uint32_t i = 0; i < pre.len; i++)
      if (!f->wanted.data[pre.at[i].place]) {
        f->wanted.data[pre.at[i].place] = 1;
        vec_push(&f->work, pre.at[i].place);
      }
  }
}

static uint64_t estimate(Forward *f) {
  uint64_t best = UINT64_MAX;
  uint32_t which = 0;
  measure(f);
  for (uint32_t i = 0; i < f->net->targets.len; i++) {
    uint64_t here = estimate_target(f, net_target(f->net, i));
    if (here < best) {
      best = here;
      which = i;
    }
  }
  if (best != UINT64_MAX) extract(f, net_target(f->net, which));
  return best;
}

/* ---- expanding -------------------------------------------------------------------- */

static bool is_enabled(const Forward *f, uint32_t t) {
  MarkingView pre = net_pre(f->net, t);
  for (uint32_t i = 0; i < pre.len; i++)
    if (f->marking[pre.at[i].place] < pre.at[i].count) return false;
  return true;
}

/* Without transfers: a merge of three sorted lists. */
static bool fire_plain(Forward *f, uint32_t t) {
  MarkingView pre = net_pre(f->net, t), post = net_post(f->net, t);
  uint32_t i = 0, j = 0, k = 0;
  vec_clear(&f->next);
  vec_reserve(&f->next, f->here.len + post.len);
  while (i < f->here.len || k < post.len) {
    bool own =
        k == post.len || (i < f->here.len && f->here.data[i].place <= post.at[k].place);
    uint32_t place = own ? f->here.data[i].place : post.at[k].place;
    uint64_t count = own ? f->here.data[i++].count : 0;
    while (j < pre.len && pre.at[j].place < place) j++;
    assert(j == pre.len || pre.at[j].place != place || count >= pre.at[j].count);
    if (j < pre.len && pre.at[j].place == place) count -= pre.at[j].count;
    if (k < post.len && post.at[k].place == place) count += post.at[k++].count;
    if (count > NET_MOST) return false;
    if (count > 0) f->next.data[f->next.len++] = (Tokens){place, (uint32_t)count};
  }
  return true;
}

static bool fire_transfers(Forward *f, uint32_t t) {
  const Net *net = f->net;
  const NetTransition *x = &net->transitions.data[t];
  MarkingView pre = net_pre(net, t), post = net_post(net, t);
  uint32_t k = 0;
  vec_clear(&f->next);
  for (uint32_t i = 0; i < f->here.len; i++) {
    uint32_t p = f->here.data[i].place, count = f->here.data[i].count, to = p;
    while (k < pre.len && pre.at[k].place < p) k++;
    assert(k == pre.len || pre.at[k].place != p || count >= pre.at[k].count);
    if (k < pre.len && pre.at[k].place == p) count -= pre.at[k].count;
    for (uint32_t j = 0; j < x->transfer_len; j++)
      if (net->transfers.data[x->transfer + j].from == p)
        to = net->transfers.data[x->transfer + j].to;
    if (count > 0 && to != NET_NOWHERE) vec_push(&f->next, (Tokens){to, count});
  }
  for (uint32_t i = 0; i < post.len; i++) vec_push(&f->next, post.at[i]);
  return net_tidy(f->next.data, &f->next.len);
}

/* The marking after t in `next`; false when a count grows too large. */
static bool fire(Forward *f, uint32_t t) {
  return f->net->transitions.data[t].transfer_len ? fire_transfers(f, t)
                                                  : fire_plain(f, t);
}

static SearchStatus try_transition(Forward *f, uint32_t t) {
  f->cost++;
  if (!is_enabled(f, t) || !fire(f, t)) return SEARCH_RUNNING;
  f->cost += 4 + f->next.len;
  uint32_t state = add_state(f, f->current, t);
  if (state == NET_NONE) return SEARCH_RUNNING;
  if (covers(f, state)) return SEARCH_UNSAFE;
  heap_push(&f->all, f->key, state);
  if (f->helpful.data[t]) heap_push(&f->preferred, f->key, state);
  return SEARCH_RUNNING;
}

static void begin(Forward *f, uint32_t state) {
  const State *x = &f->states.data[state];
  vec_clear(&f->here);
  for (uint32_t i = 0; i < x->len; i++) {
    Tokens t = f->tokens.data[x->start + i];
    vec_push(&f->here, t);
    f->marking[t.place] = t.count;
  }
  assert(f->current == NET_NONE);
  f->current = state;
  f->cursor = (Cursor){0, 0};
  f->key = estimate(f);
}

/* Until `end`, or until all of them were tried. */
static SearchStatus go_on(Forward *f, uint64_t end) {
  MarkingView here = {f->here.data, f->here.len};
  bool done = f->key == UINT64_MAX;
  while (!done && f->cost < end) {
    uint32_t t = cursor_next(&f->cursor, f->net, here, &f->sources);
    SearchStatus status = t == NET_NONE ? SEARCH_RUNNING : try_transition(f, t);
    if (status != SEARCH_RUNNING) return status;
    done = t == NET_NONE;
  }
  if (!done) return SEARCH_RUNNING;
  for (uint32_t i = 0; i < here.len; i++) f->marking[here.at[i].place] = 0;
  f->current = NET_NONE;
  return SEARCH_RUNNING;
}

static SearchStatus start(Forward *f) {
  for (uint32_t p = 0; p < f->net->place_names.len; p++)
    if (f->net->initial.data[p]) vec_push(&f->next, (Tokens){p, f->net->initial.data[p]});
  uint32_t state = add_state(f, NET_NONE, NET_NONE);
  heap_push(&f->all, 0, state);
  return covers(f, state) ? SEARCH_UNSAFE : SEARCH_RUNNING;
}

static size_t memory(const Forward *f) {
  return (size_t)f->tokens.cap * sizeof(Tokens) + (size_t)f->states.cap * sizeof(State) +
         (size_t)f->slots.cap * 4 +
         ((size_t)f->all.cap + f->preferred.cap) * sizeof(HeapEntry);
}

/* NET_NONE: nothing is left. */
static uint32_t next_state(Forward *f) {
  while (f->all.len + f->preferred.len > 0) {
    f->turn = !f->turn;
    Heap *heap =
        (f->turn && f->preferred.len > 0) || f->all.len == 0 ? &f->preferred : &f->all;
    uint32_t state = heap_pop(heap).item;
    if (f->expanded.data[state]) continue;
    f->expanded.data[state] = 1;
    return state;
  }
  return NET_NONE;
}

SearchStatus forward_run(Forward *f, uint64_t work) {
  uint64_t end = f->cost + work;
  SearchStatus status = f->states.len == 0 ? start(f) : SEARCH_RUNNING;
  for (uint32_t n = 1; status == SEARCH_RUNNING && f->cost < end; n++) {
    if (f->current == NET_NONE) {
      uint32_t state = next_state(f);
      if (state == NET_NONE) return SEARCH_STOPPED;
      begin(f, state);
    }
    status = go_on(f, end);
    if (n % CLOCK_EVERY == 0 || f->cost >= end) {
      if (net_time_is_up(f->limits)) break;
      if (f->limits->memory && memory(f) > f->limits->memory) return SEARCH_STOPPED;
    }
  }
  return status;
}

uint32_t forward_path(const Forward *f, Numbers *out) {
  for (uint32_t s = f->found; f->states.data[s].parent != NET_NONE;
       s = f->states.data[s].parent)
    vec_push(out, f->states.data[s].transition);
  for (uint32_t i = 0, j = out->len; i + 1 < j; i++) {
    uint32_t swap = out->data[i];
    out->data[i] = out->data[--j];
    out->data[j] = swap;
  }
  return f->target;
}

uint64_t forward_count(const Forward *f) {
  return f ? f->states.len : 0;
}
