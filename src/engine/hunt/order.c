/* See order.h. A search goes backwards from an event to whatever happens before it. Of
 * each thread it needs the latest event only: all earlier ones of that thread come before
 * it. */
#include "engine/hunt/order.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

void order_free(OrderLog *log) {
  vec_free(&log->events);
  vec_free(&log->last);
  vec_free(&log->fences);
  map_free(&log->same);
}

/* Releases of one channel have one key, and so have atomic writes to one aligned place of
 * 16 bytes, which is as wide as atomics get. 0: the event is neither these nor a reader of
 * them. */
static uint64_t key_of(const ExecEvent *e, uint8_t channel) {
  uint64_t round = e->channel == CHANNEL_BARRIER ? e->other : 0;
  if (e->kind == EVENT_ACCESS)
    return e->order ? UINT64_C(1) << 63 | (e->address >> 4) : 0;
  if (e->kind == EVENT_RELEASE || e->kind == EVENT_ACQUIRE || e->kind == EVENT_RESET)
    return ((e->address * 8 + channel) ^ round << 40) + 1;
  return 0;
}

static bool releases(const ExecEvent *e) {
  return e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL ||
         e->order == ORDER_SEQ_CST;
}

void order_add(OrderLog *log, const ExecEvent *event, uint32_t step) {
  assert(event->thread > 0);
  while (log->last.len < event->thread) {
    vec_push(&log->last, 0);
    vec_push(&log->fences, 0);
  }
  uint32_t *last = &log->last.data[event->thread - 1];
  uint32_t *fence = &log->fences.data[event->thread - 1];
  uint64_t key = key_of(event, event->channel);
  assert(!log->events.len || vec_last(&log->events)->step <= step);
  uint32_t same = key ? (uint32_t)map_find(&log->same, key, 0) : 0;
  vec_push(&log->events, ((OrderEvent){*event, step, *last, same, *fence}));
  *last = log->events.len;
  if (event->kind == EVENT_FENCE && releases(event)) *fence = log->events.len;
  if (event->kind == EVENT_RELEASE ||
      (event->kind == EVENT_ACCESS && key && (event->access & ACCESS_WRITE)))
    map_put(&log->same, key, log->events.len);
  for (uint8_t c = CHANNEL_LOCK; c <= CHANNEL_READERS && event->kind == EVENT_RESET; c++)
    map_put(&log->same, key_of(event, c), 0);
}

static const ExecEvent *at(const OrderLog *log, uint32_t i) {
  return &vec_at(&log->events, i)->event;
}

/* ---- what synchronises ---- */

typedef VEC(uint32_t) Indices;

/* Events of runs that spin have many writes to look back at. A search that takes longer than
 * this says that it does not know, which is no race. */
enum { MOST_WORK = 1 << 26 };

/* A search: what it has found in the last step, and how many events it has looked at. */
typedef struct {
  const OrderLog *log;
  Indices found;
  uint64_t work;
} Walk;

static bool is_tired(const Walk *w) {
  return w->work > MOST_WORK;
}

static bool acquires(const ExecEvent *e) {
  return e->order == ORDER_ACQUIRE || e->order == ORDER_ACQ_REL ||
         e->order == ORDER_SEQ_CST;
}

static bool is_atomic(const ExecEvent *e, unsigned access) {
  return e->kind == EVENT_ACCESS && e->order != ORDER_NONE && (e->access & access);
}

static bool overlap(const ExecEvent *x, const ExecEvent *y) {
  return x->address < y->address + y->size && y->address < x->address + x->size;
}

/* All releases of the channel before the acquisition i. Of each thread the last one is
 * enough. */
static void released_before(Walk *w, uint32_t i) {
  const OrderLog *log = w->log;
  const ExecEvent *acquire = at(log, i);
  uint64_t seen = 0;
  for (uint32_t k = log->events.data[i].same; k; k = log->events.data[k - 1].same) {
    const ExecEvent *e = at(log, k - 1);
    w->work++;
    if (e->address != acquire->address || e->channel != acquire->channel) continue;
    uint64_t bit = e->thread <= 64 ? UINT64_C(1) << (e->thread - 1) : 0;
    if (bit && (seen & bit)) continue;
    seen |= bit;
    vec_push(&w->found, k - 1);
    if (log->last.len <= 64 && (uint32_t)__builtin_popcountll(seen) == log->last.len)
      return;
  }
}

/* The last release fence of the thread before event i of it. */
static bool fence_before(const OrderLog *log, uint32_t i, uint32_t *ret) {
  *ret = log->events.data[i].fence - 1;
  return log->events.data[i].fence != 0;
}

/* Whatever else the read behind it finds, the read-modify-write e has found as well: a search that comes
 * to the one comes to the other. That is so if e acquires and is before the read, in its own
 * thread or because the two synchronise. `fenced`: a fence of the thread acquires all it read. */
static bool stands_for_rest(const ExecEvent *e, const ExecEvent *read, bool fenced) {
  bool same = e->address == read->address && e->size == read->size;
  bool own = e->thread == read->thread;
  return same && (e->access & ACCESS_READ) &&
         (own ? fenced || acquires(e) : acquires(e) && releases(e));
}

/* What the read i synchronises with if it acquires: the heads of the release sequences
 * that the write belongs to whose value it finds. All writes between a head and that one
 * are read-modify-writes or the head's own thread's. A store whose thread has executed a
 * release fence is headed by the fence. Writes that overlap only in part all count as
 * found. */
static void heads_of(Walk *w, uint32_t i, bool fenced) {
  const OrderLog *log = w->log;
  const ExecEvent *read = at(log, i);
  uint32_t storing = 0; /* the one thread with a plain store behind, if any */
  bool many = false;
  for (uint32_t k = log->events.data[i].same; k; k = log->events.data[k - 1].same) {
    const ExecEvent *e = at(log, k - 1);
    w->work++;
    if (!overlap(e, read)) continue;
    bool exact = e->address == read->address;
    uint32_t fence;
    if (!exact || (!many && (!storing || storing == e->thread))) {
      if (releases(e))
        vec_push(&w->found, k - 1);
      else if (fence_before(log, k - 1, &fence))
        vec_push(&w->found, fence);
    }
    if (!storing && stands_for_rest(e, read, fenced)) return;
    if (!exact || (e->access & ACCESS_READ)) continue;
    many = many || (storing && storing != e->thread);
    storing = e->thread;
  }
}

static void made_by(Walk *w, uint32_t thread) {
  for (uint32_t k = 0; k < w->log->events.len; k++)
    if (at(w->log, k)->kind == EVENT_CREATE && at(w->log, k)->other == thread)
      vec_push(&w->found, k);
}

static void end_of(Walk *w, uint32_t thread, uint32_t before) {
  for (uint32_t k = before; k-- > 0;)
    if (at(w->log, k)->thread == thread) {
      vec_push(&w->found, k);
      return;
    }
}

/* The reads before an earlier such fence are that one's. */
static void heads_of_fenced(Walk *w, uint32_t i) {
  const OrderEvent *events = w->log->events.data;
  for (uint32_t k = events[i].previous; k; k = events[k - 1].previous) {
    if (at(w->log, k - 1)->kind == EVENT_FENCE && acquires(at(w->log, k - 1))) break;
    if (is_atomic(at(w->log, k - 1), ACCESS_READ)) heads_of(w, k - 1, true);
  }
}

/* Events of other threads that happen before i because i synchronises with them. */
static void synchronised(Walk *w, uint32_t i) {
  const ExecEvent *e = at(w->log, i);
  w->work++;
  vec_clear(&w->found);
  if (!w->log->events.data[i].previous) made_by(w, e->thread);
  switch ((ExecEventKind)e->kind) {
  case EVENT_ACQUIRE: released_before(w, i); break;
  case EVENT_JOIN: end_of(w, e->other, i); break;
  case EVENT_ACCESS:
    if (is_atomic(e, ACCESS_READ) && acquires(e)) heads_of(w, i, false);
    break;
  case EVENT_FENCE:
    if (acquires(e)) heads_of_fenced(w, i);
    break;
  case EVENT_RELEASE:
  case EVENT_RESET:
  case EVENT_CREATE:
  case EVENT_FRESH: break;
  }
}

/* Everything that the events of thread t before reached[t] synchronise with, but for those of
 * the first `done`. */
static bool go_back(Walk *w, uint32_t from, uint32_t done, uint32_t *reached) {
  bool moved = false;
  for (uint32_t k = from; k > done && !is_tired(w);
       k = w->log->events.data[k - 1].previous) {
    synchronised(w, k - 1);
    for (uint32_t n = 0; n < w->found.len; n++) {
      uint32_t *r = &reached[at(w->log, w->found.data[n])->thread];
      if (w->found.data[n] + 1 <= *r) continue;
      *r = w->found.data[n] + 1;
      moved = true;
    }
  }
  return moved;
}

bool order_is_before(const OrderLog *log, uint32_t a, uint32_t b) {
  uint32_t threads = log->last.len;
  uint32_t *reached = mem_alloc_zero((threads + 1) * sizeof *reached); /* index + 1 */
  uint32_t *done = mem_alloc_zero((threads + 1) * sizeof *done);
  Walk walk = {.log = log};
  uint32_t goal = at(log, a)->thread;
  reached[at(log, b)->thread] = b + 1;
  for (bool moved = true; moved && reached[goal] <= a && !is_tired(&walk);) {
    moved = false;
    for (uint32_t t = 1; t <= threads; t++) {
      uint32_t from = reached[t], to = done[t];
      done[t] = from;
      if (go_back(&walk, from, to, reached)) moved = true;
    }
  }
  bool before = reached[goal] > a || is_tired(&walk);
  vec_free(&walk.found);
  mem_free(reached);
  mem_free(done);
  return before;
}

/* ---- races ---- */

static bool conflict(const ExecEvent *x, const ExecEvent *y) {
  return x->kind == EVENT_ACCESS && y->kind == EVENT_ACCESS && x->thread != y->thread &&
         ((x->access | y->access) & ACCESS_WRITE) &&
         !(x->access & y->access & ACCESS_ATOMIC) && overlap(x, y);
}

bool order_find_race(const OrderLog *log, const uint32_t threads[2],
                     const EdgeId edges[2], const uint32_t steps[2], uint32_t ret[2]) {
  for (uint32_t i = 0; i < log->events.len; i++) {
    const ExecEvent *x = at(log, i);
    if (log->events.data[i].step != steps[0] || x->thread != threads[0] ||
        x->edge != edges[0])
      continue;
    for (uint32_t k = log->events.len; k-- > i + 1;) {
      const ExecEvent *y = at(log, k);
      if (log->events.data[k].step != steps[1] || y->thread != threads[1] ||
          y->edge != edges[1] || !conflict(x, y) || order_is_before(log, i, k))
        continue;
      bool fresh = false; /* the place became another object's meanwhile */
      for (uint32_t n = i + 1; n < k; n++)
        fresh = fresh || (at(log, n)->kind == EVENT_FRESH && overlap(at(log, n), x));
      if (fresh) continue;
      ret[0] = i;
      ret[1] = k;
      return true;
    }
  }
  return false;
}

/* ---- why it looks ordered ---- */

/* The write whose value each read finds first, as index + 1. */
static uint32_t *reads_from(const OrderLog *log) {
  uint32_t *from = mem_alloc_zero((log->events.len + 1) * sizeof *from);
  Map writer = {0};
  for (uint32_t i = 0; i < log->events.len; i++) {
    const ExecEvent *e = at(log, i);
    if (e->kind != EVENT_ACCESS || e->hidden) continue;
    if (e->access & ACCESS_READ) from[i] = (uint32_t)map_find(&writer, e->address, 0);
    if (e->access & ACCESS_WRITE)
      for (uint64_t b = 0; b < e->size && b < 64; b++)
        map_put(&writer, e->address + b, (uint64_t)i + 1);
  }
  map_free(&writer);
  return from;
}

/* A fence of the thread between its read and b makes the read acquire. */
static bool fenced_after(const OrderLog *log, uint32_t read, uint32_t b) {
  for (uint32_t k = read + 1; k <= b; k++)
    if (at(log, k)->thread == at(log, read)->thread && at(log, k)->kind == EVENT_FENCE &&
        acquires(at(log, k)))
      return true;
  return false;
}

static GapKind kind_of_gap(const OrderLog *log, uint32_t write, uint32_t read,
                           uint32_t b) {
  uint32_t fence;
  if (!is_atomic(at(log, write), ACCESS_WRITE) || !is_atomic(at(log, read), ACCESS_READ))
    return GAP_PLAIN;
  if (!acquires(at(log, read)) && !fenced_after(log, read, b)) return GAP_LOAD;
  if (!releases(at(log, write)) && !fence_before(log, write, &fence)) return GAP_STORE;
  return GAP_BROKEN;
}

/* Backwards, breadth first, along everything that passes something on. The gap nearest to
 * b on the way to a is the answer. */
bool order_find_gap(const OrderLog *log, uint32_t a, uint32_t b, OrderGap *ret_gap) {
  uint32_t n = log->events.len;
  uint32_t *from = reads_from(log), *towards = mem_alloc_zero((n + 1) * sizeof *towards);
  Indices queue = {0};
  Walk walk = {.log = log};
  vec_push(&queue, b);
  towards[b] = b + 1;
  for (uint32_t i = 0; i < queue.len && !towards[a] && !is_tired(&walk); i++) {
    uint32_t k = queue.data[i];
    synchronised(&walk, k);
    if (log->events.data[k].previous)
      vec_push(&walk.found, log->events.data[k].previous - 1);
    if (from[k] && k != b) vec_push(&walk.found, from[k] - 1);
    for (uint32_t m = 0; m < walk.found.len; m++) {
      if (towards[walk.found.data[m]]) continue;
      towards[walk.found.data[m]] = k + 1;
      vec_push(&queue, walk.found.data[m]);
    }
  }
  bool found = false;
  for (uint32_t k = a; towards[a] && k != b; k = towards[k] - 1) {
    uint32_t to = towards[k] - 1;
    if (from[to] != k + 1 || at(log, to)->thread == at(log, k)->thread ||
        order_is_before(log, k, to))
      continue;
    *ret_gap = (OrderGap){kind_of_gap(log, k, to, b), k, to};
    found = true;
  }
  vec_free(&queue);
  vec_free(&walk.found);
  mem_free(from);
  mem_free(towards);
  return found;
}
