/* Accesses on their way into the trace: which ones are news, and which go on with others.
 *
 * A thread's cache knows the bytes that it accessed since its last event; only others are
 * told. Of those, accesses that walk through memory are told as one: a few of each kind
 * wait in the header of the block (so that nothing is lost when the program is killed)
 * until they grow no more, make room for others, or the segment ends.
 *
 * Invariant: bit i of RtThread.waiting says that pending[i] of the block has a size. */
#include "runtime/rt_put.h"

#include <sys/mman.h>

enum { KIND = RT_WAITING };
_Static_assert(2 * (int)KIND == (int)TRACE_PENDING, "a half for reads, one for writes");

/* ---- the cache of accesses -------------------------------------------------------- */

/* The whole of it is mapped from the beginning; pages that are not used yet cost nothing.
 * So it grows in place, also under an access that a signal handler interrupted. */
enum { CACHE_SIZE = sizeof(RtLine) * RT_MOST_LINES };

static RtLine no_line = {.key = ~UINT64_C(0)};
__thread RtQuick rt_quick __attribute__((tls_model("initial-exec"))) = {&no_line, 0, 0};

void rt_cache_new(RtThread *t) {
  t->cache = rt_map(CACHE_SIZE);
}

void rt_cache_use(RtThread *t) {
  if (t->cache)
    rt_quick = (RtQuick){t->cache, (RT_FEWEST_LINES - 1) * sizeof(RtLine), RT_SEGMENT};
}

void rt_cache_free(RtThread *t) {
  rt_quick = (RtQuick){&no_line, 0, 0};
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
  bool any = p->row || p->size > 16 || (p->size & (p->size - 1));
  unsigned class = any ? TRACE_SIZE_ANY : (unsigned)__builtin_ctzl(p->size);
  *at++ = (uint8_t)(TRACE_ACCESS | p->flags | class);
  at = rt_put_difference(at, p->address, &t->last_address);
  at = rt_put_difference(at, p->pc, &t->last_access_pc);
  if (any) at = rt_put(at, p->size);
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
  t->recent[0] = t->recent[1] = NULL;
}

/* Loops are often unrolled, so several places near each other may walk through memory
 * together; what a function of the C library does is told apart. So is what a place does for
 * the first time: members of a structure lie next to each other as well, and each line that
 * touches one of them is to be known. */
enum { NEAR = 4096 };
static inline uint32_t *place_of(RtThread *t, uintptr_t pc) {
  return &t->places[(pc ^ pc >> 10) % RT_PLACES];
}
static inline bool may_grow(RtThread *t, const TracePending *p, size_t size,
                            uintptr_t pc) {
  return p->size - 1 < TRACE_LONGEST_RUN - 1 &&
         (p->pc == pc || (size <= 16 && p->pc + NEAR - pc <= 2 * NEAR &&
                          *place_of(t, pc) == (uint32_t)pc));
}

/* Whether it goes on where one that waits ends or begins; then that one has grown. */
static inline bool grow(RtThread *t, unsigned write, uintptr_t address, size_t size,
                        uintptr_t pc) {
  if (!t->block) return false;
  TracePending *first = &t->block->pending[write * KIND];
  for (TracePending *p = first; p < first + KIND; p++) {
    if (p->address + p->size == address) {
      if (!may_grow(t, p, size, pc)) continue;
    } else if (address + size == p->address) {
      if (!may_grow(t, p, size, pc)) continue;
      p->address = address;
    } else {
      continue;
    }
    p->row = 1;
    p->size += size;
    t->recent[write] = p;
    return true;
  }
  return false;
}

/* A new one, with its own place. */
static inline __attribute__((always_inline)) void
begin(RtThread *t, uintptr_t address, size_t size, unsigned flags, uintptr_t pc) {
  if (!rt_room(t, ROOM_FOR_PENDING)) return;
  unsigned write = flags & TRACE_WRITE ? 1 : 0, i = t->oldest[write]++ % KIND;
  unsigned bit = 1u << (write * KIND + i);
  TracePending *p = &t->block->pending[write * KIND + i];
  if (t->waiting & bit) put_access(t, p);
  *place_of(t, pc) = (uint32_t)pc;
  p->size = 0;
  p->address = address;
  p->pc = pc;
  p->flags = flags;
  p->row = 0;
  __atomic_store_n(&p->size, size, __ATOMIC_RELEASE);
  t->waiting |= bit;
  t->recent[write] = p;
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

/* News that the one that grew last does not go on with. The thread is busy until it is
 * told. */
static __attribute__((noinline)) void tell(RtThread *t, uintptr_t address,
                                           unsigned size_and_flags, uintptr_t pc) {
  size_t size = size_and_flags >> 8;
  unsigned flags = size_and_flags & 0xff, write = flags & TRACE_WRITE ? 1 : 0;
  if (!grow(t, write, address, size, pc)) begin(t, address, size, flags, pc);
  t->busy = false;
}

void rt_emit_fresh(RtLine *line, uintptr_t address, unsigned size_and_flags,
                   uintptr_t pc) {
  RtThread *t = rt_self;
  size_t size = size_and_flags >> 8;
  bool write = size_and_flags & TRACE_WRITE;
  if (t->busy || t->ignoring) return;
  t->busy = true;
  uint64_t bits = ((UINT64_C(1) << size) - 1) << address % RT_LINE;
  line->unseen &= ~bits;
  if (write) line->unwritten &= ~bits;
  /* The most frequent case by far: the next one of those that grew last. */
  TracePending *p = t->recent[write];
  if (!p || p->address + p->size != address || !may_grow(t, p, size, pc)) {
    tell(t, address, size_and_flags, pc);
    return;
  }
  p->row = 1;
  p->size += size;
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
  if (note(line_of(t, address / RT_LINE), bits, size_and_flags & TRACE_WRITE)) {
    tell(t, address, size_and_flags, pc);
    return;
  }
  t->busy = false;
}

/* Longer ones are not looked up: it would cost more than it saves. But one that waits may
 * have all of it. */
enum { LONGEST_NOTED = 1 << 14 };
static bool is_inside(RtThread *t, uintptr_t address, size_t size, unsigned write,
                      uintptr_t pc) {
  for (unsigned waiting = t->waiting; waiting; waiting &= waiting - 1) {
    unsigned i = (unsigned)__builtin_ctz(waiting);
    const TracePending *p = &t->block->pending[i];
    if (i / KIND == write && may_grow(t, p, size, pc) && address >= p->address &&
        address + size <= p->address + p->size)
      return true;
  }
  return false;
}

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
  if (news && !grow(t, write, address, size, pc) &&
      !is_inside(t, address, size, write, pc))
    begin(t, address, size, flags, pc);
  t->busy = false;
}
