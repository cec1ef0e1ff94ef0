/* Accesses on their way into the trace: which ones are news, and which go on with others.
 *
 * A thread's cache knows the bytes that it accessed since its last event; only others are
 * told. Of those, accesses of one place in the code that walk through memory, in a row or in
 * equal steps, are told as one: they wait in the header of the block (so that nothing is lost
 * when the program is killed) until they grow no more, make room for others, or the segment
 * ends. Places are never mixed: loops that compilers unroll have a row for each of their
 * places, and each line of a structure that is filled member by member is known.
 *
 * Invariant: bit i of RtThread.waiting says that pending[i] of the block has a size. */
#include "runtime/rt_put.h"

#include <sys/mman.h>

_Static_assert(TRACE_PENDING == 8 * sizeof(uint32_t),
               "RtThread.waiting has a bit for each");

/* ---- the cache of accesses -------------------------------------------------------- */

/* The whole of it is mapped from the beginning; pages that are not used yet cost nothing.
 * So it grows in place, also under an access that a signal handler interrupted. */
enum { CACHE_SIZE = sizeof(RtLine) * RT_MOST_LINES };

static RtLine no_line = {.key = ~UINT64_C(0)};
__thread RtQuick rt_quick
    __attribute__((tls_model("initial-exec"))) = {&no_line, 0, 0, NULL};

void rt_cache_new(RtThread *t) {
  t->cache = rt_map(CACHE_SIZE);
  for (unsigned i = 0; i < RT_TOLD; i++) t->told[i] = -RT_TELLINGS;
}

void rt_cache_use(RtThread *t) {
  if (t->cache)
    rt_quick =
        (RtQuick){t->cache, (RT_FEWEST_LINES - 1) * sizeof(RtLine), RT_SEGMENT, t->told};
}

void rt_cache_free(RtThread *t) {
  rt_quick = (RtQuick){&no_line, 0, 0, NULL};
  if (t->cache) rt_unmap(t->cache, CACHE_SIZE);
  t->cache = NULL;
}

/* As many lines were displaced in one segment as there are: twice as many are worth their
 * memory. Those that are not found again where they were are told once more. */
static void grow_cache(RtThread *t) {
  t->evicted = 0;
  if (rt_quick.mask < CACHE_SIZE - sizeof(RtLine))
    rt_quick.mask = rt_quick.mask * 2 + sizeof(RtLine);
}

void rt_next_segment(RtThread *t) {
  if (!t->cache) return;
  t->evicted = 0;
  rt_quick.segment += RT_SEGMENT;
  if (rt_quick.segment) return;
  /* All numbers of segments were used: none in the cache may be met again. */
  rt_zero(t->cache, CACHE_SIZE);
  rt_quick.segment = RT_SEGMENT;
}

/* ---- what waits -------------------------------------------------------------------- */

/* There is room for it: who calls has asked for ROOM_FOR_PENDING. */
static inline __attribute__((always_inline)) void put_access(RtThread *t,
                                                             const TracePending *p) {
  uint8_t *at = t->at;
  bool any = p->count > 1 || p->size > 16 || (p->size & (p->size - 1));
  unsigned class = p->step ? TRACE_SIZE_STEPS
                   : any   ? TRACE_SIZE_ANY
                           : (unsigned)__builtin_ctzl(p->size);
  *at++ = (uint8_t)(TRACE_ACCESS | p->flags | class);
  at = rt_put_difference(at, p->address, &t->last_address);
  at = rt_put_difference(at, p->pc, &t->last_access_pc);
  if (any) at = rt_put(at, p->size);
  if (p->step) {
    at = rt_put_signed(at, p->step);
    at = rt_put(at, p->count);
  }
  rt_commit(t, at);
}

void rt_put_pending(RtThread *t) {
  for (unsigned waiting = t->waiting; waiting; waiting &= waiting - 1) {
    unsigned i = (unsigned)__builtin_ctz(waiting);
    TracePending *p = &t->block->pending[i];
    put_access(t, p);
    p->size = 0;
  }
  t->waiting = 0;
}

/* Which one is that of a place, if it is not somebody else's by now. */
static inline uint8_t *waiting_of(RtThread *t, uintptr_t pc, unsigned flags) {
  return &t->waiting_of[(pc ^ pc >> 10 ^ flags << 3) % RT_PLACES];
}

/* The second access of a place, not behind the first: they may be the first two steps. Steps
 * of one place do not overlap, or bytes would be told twice. */
static inline bool step_off(RtThread *t, unsigned i, uintptr_t address, size_t size) {
  TracePending *p = &t->block->pending[i];
  int64_t step = (int64_t)(address - p->address);
  uint64_t length = step < 0 ? (uint64_t)-step : (uint64_t)step;
  if (p->count > 1 || p->size != size || length < size || length > TRACE_LONGEST_STEP)
    return false;
  p->count = 2;
  p->step = (int32_t)step;
  t->next_address[i] = address + (uintptr_t)step;
  return true;
}

/* Whether it goes on with the one of the same place that waits; then that one has grown. What
 * a function of the C library does to several strings is no walk in steps. */
static inline __attribute__((always_inline)) bool grow(RtThread *t, uintptr_t address,
                                                       size_t size, unsigned flags,
                                                       uintptr_t pc, bool steps) {
  unsigned i = *waiting_of(t, pc, flags);
  if (!(t->waiting >> i & 1)) return false;
  TracePending *p = &t->block->pending[i];
  if (p->pc != pc || p->flags != flags) return false;
  if (t->next_address[i] != address) return steps && step_off(t, i, address, size);
  if (p->step) {
    if (p->size != size || p->count >= TRACE_MOST_STEPS) return false;
    t->next_address[i] += (uintptr_t)(intptr_t)p->step;
  } else {
    if (p->size >= TRACE_LONGEST_RUN) return false;
    p->size += size;
    t->next_address[i] += size;
  }
  p->count++;
  return true;
}

/* Whether the one that waits has all of it. */
static bool is_inside(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                      uintptr_t pc) {
  unsigned i = *waiting_of(t, pc, flags);
  if (!(t->waiting >> i & 1)) return false;
  const TracePending *p = &t->block->pending[i];
  return p->pc == pc && p->flags == flags && !p->step && address >= p->address &&
         address + size <= p->address + p->size;
}

/* A new one, where the last of its place was, if nobody else has taken that. */
static inline __attribute__((always_inline)) void
begin(RtThread *t, uintptr_t address, size_t size, unsigned flags, uintptr_t pc) {
  if (!rt_room(t, MOST_BYTES_PER_ACCESS)) return;
  uint8_t *mine = waiting_of(t, pc, flags);
  TracePending *p = &t->block->pending[*mine];
  if (p->pc != pc || p->flags != flags) {
    *mine = t->oldest++ % TRACE_PENDING;
    p = &t->block->pending[*mine];
  }
  unsigned i = *mine;
  if (t->waiting >> i & 1) put_access(t, p);
  p->size = 0;
  p->address = address;
  p->pc = pc;
  p->flags = flags;
  p->step = 0;
  p->count = 1;
  __atomic_store_n(&p->size, size, __ATOMIC_RELEASE);
  t->waiting |= 1u << i;
  t->next_address[i] = address + size;
}

/* ---- accesses --------------------------------------------------------------------- */

/* The line of an address in the cache; it makes room when another one is there. */
static inline RtLine *line_of(RtThread *t, uint64_t number) {
  RtLine *line = rt_line(number);
  if (line->key != (number | rt_quick.segment)) {
    if (line->key >= rt_quick.segment) t->evicted++;
    *line = (RtLine){number | rt_quick.segment, ~UINT64_C(0), ~UINT64_C(0)};
  }
  return line;
}

/* Notes bytes of one line; false when this segment had them all before. */
static inline bool note(RtLine *line, uint64_t bits, bool write) {
  bool news = bits & (write ? line->unwritten : line->unseen);
  line->unseen &= ~bits;
  if (write) line->unwritten &= ~bits;
  return news;
}

/* Where every access is to be told, nothing waits for others and nothing is known of. */
static void forget_told(RtThread *t) {
  if (!(rt_control->variation & CONTROL_EVERY_ACCESS)) return;
  if (t->block) rt_put_pending(t);
  rt_next_segment(t);
}

/* News that no waiting one goes on with. The thread is busy until it is told. */
static __attribute__((noinline)) void tell(RtThread *t, uintptr_t address,
                                           unsigned size_and_flags, uintptr_t pc) {
  begin(t, address, size_and_flags >> 8, size_and_flags & 0xff, pc);
  forget_told(t);
  t->busy = false;
}

void rt_emit_fresh(RtLine *line, uintptr_t address, unsigned size_and_flags,
                   uintptr_t pc) {
  RtThread *t = rt_self;
  size_t size = size_and_flags >> 8;
  if (t->busy || t->ignoring) return;
  t->busy = true;
  uint64_t bits = ((UINT64_C(1) << size) - 1) << address % RT_LINE;
  line->unseen &= ~bits;
  if (size_and_flags & TRACE_WRITE) line->unwritten &= ~bits;
  if (!grow(t, address, size, size_and_flags & 0xff, pc, true)) {
    tell(t, address, size_and_flags, pc);
    return;
  }
  t->busy = false;
}

void rt_emit_again(uintptr_t address, unsigned size_and_flags, uintptr_t pc) {
  RtThread *t = rt_self;
  size_t size = size_and_flags >> 8;
  unsigned flags = size_and_flags & 0xff;
  if (t->busy || t->ignoring) return;
  t->busy = true;
  t->told[rt_told(pc)]++;
  if (!is_inside(t, address, size, flags, pc) && !grow(t, address, size, flags, pc, true))
    begin(t, address, size, flags, pc);
  t->busy = false;
}

void rt_emit_small(uintptr_t address, unsigned size_and_flags, uintptr_t pc) {
  RtThread *t = rt_self;
  size_t size = size_and_flags >> 8;
  if (__builtin_expect(!t || !t->cache || address % RT_LINE + size > RT_LINE, 0)) {
    rt_range(address, size, size_and_flags & 0xff, pc);
    return;
  }
  if (t->busy || t->ignoring) return;
  t->busy = true;
  if (__builtin_expect(t->evicted * sizeof(RtLine) > rt_quick.mask, 0)) grow_cache(t);
  uint64_t bits = ((UINT64_C(1) << size) - 1) << address % RT_LINE;
  if (note(line_of(t, address / RT_LINE), bits, size_and_flags & TRACE_WRITE) &&
      !grow(t, address, size, size_and_flags & 0xff, pc, true)) {
    tell(t, address, size_and_flags, pc);
    return;
  }
  t->busy = false;
}

/* Longer ones are not looked up: it would cost more than it saves. */
enum { LONGEST_NOTED = 1 << 14 };
void rt_emit_access(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                    uintptr_t pc) {
  if (t->busy || t->ignoring || !size || !t->cache) return;
  t->busy = true;
  if (t->evicted * sizeof(RtLine) > rt_quick.mask) grow_cache(t);
  unsigned write = flags & TRACE_WRITE ? 1 : 0;
  bool news = size > LONGEST_NOTED;
  uint64_t first = address / RT_LINE, last = (address + size - 1) / RT_LINE;
  for (uint64_t number = first; size <= LONGEST_NOTED && number <= last; number++) {
    uint64_t bits = ~UINT64_C(0);
    if (number == first) bits <<= address % RT_LINE;
    if (number == last)
      bits &= ~UINT64_C(0) >> (RT_LINE - 1 - (address + size - 1) % RT_LINE);
    news |= note(line_of(t, number), bits, write);
  }
  if (!news && rt_is_new_place(pc)) {
    t->told[rt_told(pc)]++;
    news = true;
  }
  if (news && !grow(t, address, size, flags, pc, false) &&
      !is_inside(t, address, size, flags, pc))
    begin(t, address, size, flags, pc);
  forget_told(t);
  t->busy = false;
}
