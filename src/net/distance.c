/* See distance.h. Dijkstra's algorithm over places, where a transition is as far as the
 * sum of its inputs and one more (Knuth's generalisation: the sum never falls below its
 * parts, so the nearest open place is final). */
#include "net/distance.h"

#include "base/mem.h"

typedef struct {
  uint32_t distance, place;
} Entry;

typedef VEC(Entry) Heap;

static bool before(Entry a, Entry b) {
  return a.distance < b.distance || (a.distance == b.distance && a.place < b.place);
}

static void push(Heap *heap, Entry e) {
  vec_push(heap, e);
  for (uint32_t i = heap->len - 1; i > 0;) {
    uint32_t up = (i - 1) / 2;
    if (!before(heap->data[i], heap->data[up])) break;
    Entry swap = heap->data[i];
    heap->data[i] = heap->data[up];
    heap->data[up] = swap;
    i = up;
  }
}

static Entry pop(Heap *heap) {
  Entry top = heap->data[0];
  heap->data[0] = heap->data[--heap->len];
  for (uint32_t i = 0;;) {
    uint32_t least = i, left = 2 * i + 1;
    if (left < heap->len && before(heap->data[left], heap->data[least])) least = left;
    if (left + 1 < heap->len && before(heap->data[left + 1], heap->data[least]))
      least = left + 1;
    if (least == i) return top;
    Entry swap = heap->data[i];
    heap->data[i] = heap->data[least];
    heap->data[least] = swap;
    i = least;
  }
}

static uint32_t add(uint32_t a, uint64_t b) {
  const uint64_t most = UINT32_MAX - 1;
  return a + b > most ? (uint32_t)most : (uint32_t)(a + b);
}

typedef struct {
  const Net *net;
  uint32_t *place, *transition, *missing;
  Heap heap;
} Search;

static void improve(Search *s, uint32_t place, uint32_t distance) {
  if (distance >= s->place[place]) return;
  s->place[place] = distance;
  push(&s->heap, (Entry){distance, place});
}

static void fire(Search *s, uint32_t t) {
  MarkingView post = net_post(s->net, t);
  const NetTransition *x = &s->net->transitions.data[t];
  uint32_t distance = add(s->transition[t], 1);
  for (uint32_t i = 0; i < post.len; i++) improve(s, post.at[i].place, distance);
  for (uint32_t i = 0; i < x->transfer_len; i++) {
    Transfer move = s->net->transfers.data[x->transfer + i];
    if (move.to != NET_NOWHERE) improve(s, move.to, distance);
  }
}

static void settle(Search *s, Entry e) {
  const Net *net = s->net;
  for (uint32_t i = net->take_start.data[e.place]; i < net->take_start.data[e.place + 1];
       i++) {
    uint32_t t = net->take.data[i];
    s->transition[t] = add(s->transition[t], e.distance);
    if (--s->missing[t] == 0) fire(s, t);
  }
}

uint32_t *distance_from_initial(const Net *net) {
  uint32_t places = net->place_names.len, transitions = net->transitions.len;
  Search s = {.net = net,
              .place = mem_alloc((places + 1) * sizeof(uint32_t)),
              .transition = mem_alloc_zero((transitions + 1) * sizeof(uint32_t)),
              .missing = mem_alloc((transitions + 1) * sizeof(uint32_t))};
  bool *done = mem_alloc_zero(places + 1);
  for (uint32_t p = 0; p < places; p++) s.place[p] = UINT32_MAX;
  for (uint32_t p = 0; p < places; p++)
    if (net->initial.data[p] > 0) improve(&s, p, 0);
  for (uint32_t t = 0; t < transitions; t++) {
    s.missing[t] = net_pre(net, t).len;
    if (s.missing[t] == 0) fire(&s, t);
  }
  while (s.heap.len > 0) {
    Entry e = pop(&s.heap);
    if (done[e.place]) continue;
    done[e.place] = true;
    settle(&s, e);
  }
  vec_free(&s.heap);
  mem_free(done);
  mem_free(s.transition);
  mem_free(s.missing);
  return s.place;
}
