/* Repeated rounds: a thread that polls, or counts under a lock, does the same again and
 * again. Of rounds with the same events and accesses the first ones and the last one are kept
 * in the trace, with a TRACE_FOLD between them that says how many there were; so a program
 * that spins for minutes leaves a trace of a page.
 *
 * Only rounds after which nothing is different may go: locks that the round itself takes and
 * gives back, atomic operations that change no value. What a thread learns from others in a
 * round that goes, it learns in the last one as well; what it tells them there, about
 * accesses that are kept, it has told in the first ones.
 *
 * The bytes of a round that came twice in a row are the same but for the numbers of its
 * events, since differences start from the same values; the tag of an event has the last of
 * its accesses as it is, so that the next elements of an array are not taken for the same. So a round is dropped by moving the
 * next one over it, with new differences of the numbers. */
#include "runtime/rt_put.h"

enum { LONGEST_ROUND = 1024 }; /* bytes */

static RtPast *past(RtThread *t, uint32_t back) {
  return &t->past[(t->past_end - back) % RT_PAST];
}

static bool is_neutral(TraceOp op, uint64_t before, uint64_t after) {
  switch (op) {
  case TRACE_LOCK:
  case TRACE_FAILED_LOCK:
  case TRACE_READ_LOCK:
  case TRACE_FAILED_READ_LOCK:
  case TRACE_UNLOCK:
  case TRACE_FAILED_SEM_WAIT:
  case TRACE_ATOMIC_LOAD:
  case TRACE_FENCE:
  case TRACE_GIVE:
  case TRACE_TAKE: return true;
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW: return before == after;
  default: return false;
  }
}

static size_t bytes_of(const RtPast *p) {
  return (size_t)(p->end - p->rest) + (size_t)(p->op - p->begin);
}

static bool same_bytes(const uint8_t *a, const uint8_t *b, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (a[i] != b[i]) return false;
  return true;
}

static bool same(const RtPast *a, const RtPast *b) {
  return a->tag == b->tag && bytes_of(a) == bytes_of(b) && *a->op == *b->op &&
         same_bytes(a->begin, b->begin, (size_t)(a->op - a->begin)) &&
         same_bytes(a->rest, b->rest, (size_t)(a->end - a->rest));
}

/* Whatever the round gives back, it has taken itself; and the other way round. */
static bool is_balanced(RtThread *t, uint32_t period) {
  uintptr_t taken[RT_LONGEST_PERIOD];
  uint32_t count = 0;
  for (uint32_t i = period; i > 0; i--) {
    const RtPast *p = past(t, i);
    if (*p->op == TRACE_LOCK || *p->op == TRACE_READ_LOCK) taken[count++] = p->object;
    if (*p->op != TRACE_UNLOCK) continue;
    uint32_t at = count;
    while (at > 0 && taken[at - 1] != p->object) at--;
    if (!at) return false;
    taken[at - 1] = taken[--count];
  }
  return count == 0;
}

/* The last round over the one before it, behind a mark of so many. */
static void fold(RtThread *t, uint32_t period, uint8_t *to, uint64_t before,
                 uint64_t number, uint64_t count) {
  uint8_t copy[LONGEST_ROUND], *from = past(t, period)->begin, *at = to;
  size_t size = (size_t)(t->at - from);
  rt_copy(copy, from, size);
  rt_commit(t, to);
  *at++ = TRACE_FOLD;
  at = rt_put(at, number - before);
  at = rt_put(at,
              0); /* place and object as before: what follows is a difference to them */
  at = rt_put(at, 0);
  at = rt_put(at, period);
  at = rt_put(at, count);
  uint64_t last = number;
  for (uint32_t i = period; i > 0; i--) {
    RtPast *p = past(t, i);
    const uint8_t *begin = copy + (p->begin - from), *op = copy + (p->op - from),
                  *rest = copy + (p->rest - from), *end = copy + (p->end - from);
    p->begin = at;
    rt_copy(at, begin, (size_t)(op - begin));
    at += op - begin;
    p->op = at;
    *at++ = *op;
    at = rt_put(at, p->sequence - last);
    p->rest = at;
    rt_copy(at, rest, (size_t)(end - rest));
    at += end - rest;
    p->end = at;
    last = p->sequence;
  }
  rt_commit(t, at);
  t->past_count = period;
  t->fold = (RtFold){
      .at = to, .before = before, .number = number, .period = period, .count = count};
}

static bool repeats(RtThread *t, uint32_t period, uint32_t rounds) {
  if (t->past_count < rounds * period) return false;
  for (uint32_t i = 1; i <= (rounds - 1) * period; i++)
    if (past(t, i)->tag != past(t, i + period)->tag) return false;
  for (uint32_t i = 1; i <= period; i++)
    if (!same(past(t, i), past(t, i + period))) return false;
  return (size_t)(t->at - past(t, period)->begin) <= LONGEST_ROUND &&
         is_balanced(t, period);
}

/* A round that goes on with those that were folded; or three in a row. */
static void look(RtThread *t) {
  RtFold *f = &t->fold;
  if (f->at && t->past_count >= 2 * f->period) {
    if (t->past_count == 2 * f->period && repeats(t, f->period, 2)) {
      fold(t, f->period, f->at, f->before, f->number, f->count + 1);
      return;
    }
    f->at = NULL; /* something else began */
  }
  if (f->at) return;
  const uint64_t tag = past(t, 1)->tag;
  for (uint32_t period = 1; period <= RT_LONGEST_PERIOD; period++) {
    if (t->past_count < 3 * period) return;
    if (past(t, 1 + period)->tag != tag || !repeats(t, period, 3)) continue;
    const RtPast *middle = past(t, 2 * period);
    uint64_t before = middle->sequence_before;
    fold(t, period, middle->begin, before, middle->sequence, 1);
    return;
  }
}

void rt_fold_forget(RtThread *t) {
  t->past_count = 0;
  t->fold.at = NULL;
}

void rt_fold_event(RtThread *t, TraceOp op, uintptr_t object, uintptr_t pc,
                   const uint64_t *arguments, const RtPast *where) {
  if (!is_neutral(op, arguments[1], arguments[2])) {
    rt_fold_forget(t);
    return;
  }
  uint64_t tag =
      (object * UINT64_C(0x9e3779b97f4a7c15) ^ pc) * UINT64_C(0xbf58476d1ce4e5b9);
  tag =
      (tag ^ tag >> 29 ^ arguments[0] ^ arguments[1] << 7) * UINT64_C(0x94d049bb133111eb);
  tag ^= t->last_address * UINT64_C(0xd6e8feb86659fd93) ^ t->last_access_pc << 17;
  t->past_end++;
  if (t->past_count < RT_PAST) t->past_count++;
  RtPast *p = past(t, 1);
  *p = *where;
  p->object = object;
  p->tag = tag ^ (uint64_t)op;
  look(t);
}
