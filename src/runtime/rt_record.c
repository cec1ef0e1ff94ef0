/* Writing the trace: blocks of the file that are mapped while a thread fills them.
 *
 * Nothing is buffered outside of the file's pages, so there is nothing to lose when the
 * program is killed. A block is reserved on the disk before it is mapped; when that
 * fails, the trace is marked incomplete and the program goes on. */
#include "runtime/rt.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  MOST_BYTES_PER_EVENT = 96,
  ROOM_FOR_PENDING = (TRACE_PENDING + 1) * MOST_BYTES_PER_EVENT,
  FIRST_BLOCK = TRACE_UNIT,
};

static TraceHeader *header;
static int trace_fd = -1;

/* ---- blocks ----------------------------------------------------------------------- */

/* A limit on the size of files would end the program by a signal: it is asked first. */
static int reserve(uint64_t offset, uint64_t size) {
  struct rlimit limit;
  int result;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      offset + size > limit.rlim_cur)
    return EFBIG;
  do result = posix_fallocate(trace_fd, (off_t)offset, (off_t)size);
  while (result == EINTR);
  return result;
}

bool rt_record_open(const char *path) {
  trace_fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (trace_fd < 0 || reserve(0, TRACE_UNIT) != 0) return false;
  void *at = rt_map_file(TRACE_PAGE, trace_fd, 0);
  if (!at) return false;
  header = at;
  rt_copy(header->magic, TRACE_MAGIC, 8);
  header->version = TRACE_VERSION;
  header->end = TRACE_UNIT;
  header->sequence = 1;
  header->process = (uint32_t)getpid();
  return true;
}

uint32_t rt_record_new_thread(void) {
  static uint32_t replayed;
  return __atomic_fetch_add(header ? &header->threads : &replayed, 1, __ATOMIC_RELAXED);
}

void rt_record_state(uint32_t bits) {
  if (header) __atomic_fetch_or(&header->state, bits, __ATOMIC_RELEASE);
}

/* The kernel keeps it, in a line of text. What getrusage says is no less than the size of
 * the process that started this one. */
void rt_record_peak(void) {
  static const char name[] = "VmHWM:";
  char text[2048];
  int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  ssize_t length = fd < 0 ? 0 : syscall(SYS_read, fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  size_t matched = 0;
  uint32_t peak = 0;
  for (ssize_t i = 0; i < length; i++) {
    if (name[matched])
      matched = text[i] == name[matched] ? matched + 1 : 0;
    else if (text[i] == '\n')
      break;
    else if (text[i] >= '0' && text[i] <= '9')
      peak = peak * 10 + (uint32_t)(text[i] - '0');
  }
  if (header) header->peak_kib = peak;
}

static void drop_block(RtThread *t) {
  if (t->block) munmap(t->block, t->block->size);
  t->block = NULL;
  t->at = t->limit = NULL;
  t->recent[0] = t->recent[1] = NULL;
}

static bool next_block(RtThread *t) {
  uint32_t size = FIRST_BLOCK;
  for (uint32_t i = 0; i < t->blocks && size < TRACE_LARGEST_BLOCK; i++) size *= 2;
  drop_block(t);
  if (__atomic_load_n(&header->state, __ATOMIC_RELAXED) & TRACE_INCOMPLETE) return false;
  uint64_t offset = __atomic_fetch_add(&header->end, size, __ATOMIC_RELAXED);
  int failed = reserve(offset, size);
  void *at = failed ? NULL : rt_map_file(size, trace_fd, offset);
  if (!at) {
    if (!(__atomic_fetch_or(&header->state, TRACE_INCOMPLETE, __ATOMIC_ACQ_REL) &
          TRACE_INCOMPLETE)) {
      header->lost_errno = failed ? failed : errno;
      rt_say("the trace cannot grow (no space, or a limit on files); the program goes "
             "on, and what comes now is missing");
    }
    return false;
  }
  t->block = at;
  t->block->thread = t->number;
  t->block->number = t->blocks++;
  t->block->size = size;
  __atomic_store_n(&t->block->magic, TRACE_BLOCK_MAGIC, __ATOMIC_RELEASE);
  t->at = (uint8_t *)(t->block + 1);
  t->limit = (uint8_t *)at + size;
  t->last_address = t->last_access_pc = t->last_sequence = t->last_pc = t->last_object =
      0;
  return true;
}

static void put_pending(RtThread *t);

void rt_record_flush(RtThread *t) {
  if (t->busy) return;
  t->busy = true;
  put_pending(t);
  t->busy = false;
}

void rt_record_close(RtThread *t) {
  put_pending(t);
  drop_block(t);
}

/* ---- numbers ---------------------------------------------------------------------- */

static inline uint8_t *put(uint8_t *at, uint64_t value) {
  while (value >= 0x80) {
    *at++ = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  *at++ = (uint8_t)value;
  return at;
}

static inline uint8_t *put_difference(uint8_t *at, uint64_t value, uint64_t *last) {
  int64_t d = (int64_t)(value - *last);
  *last = value;
  return put(at, ((uint64_t)d << 1) ^ (uint64_t)(d >> 63));
}

/* Every block keeps room for what waits in its header. */
static void put_pending(RtThread *t);
static inline bool room(RtThread *t, size_t bytes) {
  if (__builtin_expect((size_t)(t->limit - t->at) >= bytes + ROOM_FOR_PENDING, 1))
    return true;
  put_pending(t);
  return next_block(t);
}

static inline void commit(RtThread *t, uint8_t *at) {
  t->at = at;
  __atomic_store_n(&t->block->used, (uint32_t)(at - (uint8_t *)(t->block + 1)),
                   __ATOMIC_RELEASE);
}

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
    rt_quick =
        (RtQuick){t->cache, (RT_FEWEST_LINES - 1) * sizeof(RtLine), RT_SEGMENT};
}

void rt_cache_free(RtThread *t) {
  rt_quick = (RtQuick){&no_line, 0, 0};
  if (t->cache) munmap(t->cache, CACHE_SIZE);
  t->cache = NULL;
}

/* As many lines were displaced in one segment as there are: twice as many are worth their
 * memory. Those that are not found again where they were are told once more. */
static void grow_cache(RtThread *t) {
  t->evicted = 0;
  if (rt_quick.mask < CACHE_SIZE - sizeof(RtLine))
    rt_quick.mask = rt_quick.mask * 2 + sizeof(RtLine);
}

static void next_segment(RtThread *t) {
  if (!t->cache) return;
  t->evicted = 0;
  rt_quick.segment += RT_SEGMENT;
  if (rt_quick.segment) return;
  /* All numbers of segments were used: none in the cache may be met again. */
  rt_zero(t->cache, CACHE_SIZE);
  rt_quick.segment = RT_SEGMENT;
}

/* ---- events ----------------------------------------------------------------------- */

static const uint8_t argument_count[TRACE_OP_COUNT] = {
#define X(name, word, args) [TRACE_##name] = args,
    TRACE_OPS(X)
#undef X
};

static bool is_turn(TraceOp op) {
  return op != TRACE_ALLOC && op != TRACE_FREE && op != TRACE_FORGET &&
         op != TRACE_MODULE && op != TRACE_BARRIER_INIT && op != TRACE_SEM_INIT &&
         op != TRACE_EVENT_KIND && op != TRACE_VALUES;
}

void rt_emit(RtThread *t, TraceOp op, uintptr_t object, uintptr_t pc, uint64_t a,
             uint64_t b, uint64_t c) {
  if (t->busy) return;
  t->busy = true;
  put_pending(t);
  if (room(t, MOST_BYTES_PER_EVENT)) {
    uint64_t arguments[3] = {a, b, c};
    uint64_t sequence = __atomic_fetch_add(&header->sequence, 1, __ATOMIC_SEQ_CST);
    uint8_t *at = t->at;
    *at++ = (uint8_t)op;
    at = put(at, sequence - t->last_sequence);
    t->last_sequence = sequence;
    at = put_difference(at, pc, &t->last_pc);
    at = put_difference(at, object, &t->last_object);
    for (unsigned i = 0; i < argument_count[op]; i++) at = put(at, arguments[i]);
    commit(t, at);
  }
  next_segment(t);
  if (is_turn(op)) {
    t->events++;
    t->loaded = 0;
  }
  t->busy = false;
}

/* ---- accesses --------------------------------------------------------------------- */

/* There is room for it: who calls has asked for ROOM_FOR_PENDING. */
static void put_access(RtThread *t, const TracePending *p) {
  uint8_t *at = t->at;
  bool any = p->row || p->size > 16 || (p->size & (p->size - 1));
  unsigned class = any ? TRACE_SIZE_ANY : (unsigned)__builtin_ctzl(p->size);
  *at++ = (uint8_t)(TRACE_ACCESS | p->flags | class);
  at = put_difference(at, p->address, &t->last_address);
  at = put_difference(at, p->pc, &t->last_access_pc);
  if (any) at = put(at, p->size);
  commit(t, at);
}

/* What waits to be written: the accesses of the segment that may still grow. They wait in
 * the file, so that nothing is lost when the program is killed. */
static void put_pending(RtThread *t) {
  if (!t->recent[0] && !t->recent[1]) return;
  t->recent[0] = t->recent[1] = NULL;
  for (unsigned i = 0; t->block && i < TRACE_PENDING; i++) {
    TracePending *p = &t->block->pending[i];
    if (p->size) put_access(t, p);
    p->size = 0;
  }
}

/* Loops are often unrolled, so several places near each other may walk through memory
 * together; what a function of the C library does is told apart. */
enum { NEAR = 4096 };
static inline bool is_near(const TracePending *p, size_t size, uintptr_t pc) {
  return size > 16 ? p->pc == pc : p->pc + NEAR - pc <= 2 * NEAR;
}

/* Whether it goes on where the waiting one ends or begins, or lies inside of it. */
static inline bool grows(TracePending *p, uintptr_t address, size_t size, uintptr_t pc) {
  if (!p->size || p->size >= TRACE_LONGEST_RUN || !is_near(p, size, pc)) return false;
  if (p->address + p->size == address) {
    p->row = 1;
    p->size += size;
    return true;
  }
  if (address + size == p->address) {
    p->row = 1;
    p->address = address;
    p->size += size;
    return true;
  }
  return address >= p->address && address + size <= p->address + p->size;
}

/* Accesses that walk through memory are one, with the place of the first. */
static __attribute__((noinline)) void add_access(RtThread *t, uintptr_t address,
                                                 size_t size, unsigned flags,
                                                 uintptr_t pc) {
  enum { KIND = TRACE_PENDING / 2 };
  unsigned write = flags & TRACE_WRITE ? 1 : 0;
  for (unsigned i = 0; t->block && i < KIND; i++) {
    TracePending *p = &t->block->pending[write * KIND + i];
    if (grows(p, address, size, pc)) {
      t->recent[write] = p;
      return;
    }
  }
  if (!room(t, ROOM_FOR_PENDING)) return;
  TracePending *p = &t->block->pending[write * KIND + t->oldest[write]++ % KIND];
  t->recent[write] = p;
  if (p->size) put_access(t, p);
  p->size = 0;
  p->address = address;
  p->pc = pc;
  p->flags = flags;
  p->row = 0;
  __atomic_store_n(&p->size, size, __ATOMIC_RELEASE);
}

void rt_emit_fresh(RtLine *line, uintptr_t address, unsigned size_and_flags,
                   uintptr_t pc) {
  RtThread *t = rt_self;
  size_t size = size_and_flags >> 8;
  unsigned flags = size_and_flags & 0xff, write = flags & TRACE_WRITE ? 1 : 0;
  if (t->busy || t->ignoring) return;
  t->busy = true;
  uint64_t bits = ((UINT64_C(1) << size) - 1) << address % RT_LINE;
  line->unseen &= ~bits;
  line->unwritten &= write ? ~bits : ~UINT64_C(0);
  /* The most frequent case by far: the next one of those that grew last. */
  TracePending *p = t->recent[write];
  if (p && p->address + p->size == address && p->size - 1 < TRACE_LONGEST_RUN &&
      is_near(p, size, pc)) {
    p->size += size;
    p->row = 1;
  } else {
    add_access(t, address, size, flags, pc);
  }
  t->busy = false;
}

/* Notes bytes of one line; false when this segment had them all before. */
static bool note(RtThread *t, uint64_t number, uint64_t bits, bool write) {
  RtLine *line = rt_line(number);
  if (line->key != (number | rt_quick.segment)) {
    if (line->key >= rt_quick.segment) t->evicted++;
    *line = (RtLine){number | rt_quick.segment, ~UINT64_C(0), ~UINT64_C(0)};
  }
  bool news = bits & (write ? line->unwritten : line->unseen);
  line->unseen &= ~bits;
  if (write) line->unwritten &= ~bits;
  return news;
}

/* Longer ones are not looked up: it would cost more than it saves. */
enum { LONGEST_NOTED = 1 << 14 };

void rt_emit_access(RtThread *t, uintptr_t address, size_t size, unsigned flags,
                    uintptr_t pc) {
  if (t->busy || t->ignoring || !size || !t->cache) return;
  t->busy = true;
  if (t->evicted * sizeof(RtLine) > rt_quick.mask) grow_cache(t);
  bool write = flags & TRACE_WRITE, news = size > LONGEST_NOTED;
  uint64_t first = address / RT_LINE, last = (address + size - 1) / RT_LINE;
  for (uint64_t number = first; size <= LONGEST_NOTED && number <= last; number++) {
    uint64_t bits = ~UINT64_C(0);
    if (number == first) bits <<= address % RT_LINE;
    if (number == last)
      bits &= ~UINT64_C(0) >> (RT_LINE - 1 - (address + size - 1) % RT_LINE);
    news |= note(t, number, bits, write);
  }
  if (news) add_access(t, address, size, flags, pc);
  t->busy = false;
}

/* ---- modules ---------------------------------------------------------------------- */

/* An event whose only argument is the length of the text behind it. */
void rt_emit_text(RtThread *t, TraceOp op, uintptr_t object, const char *text) {
  size_t length = rt_length(text);
  if (!room(t, MOST_BYTES_PER_EVENT + length)) return;
  rt_emit(t, op, object, 0, length, 0, 0);
  rt_copy(t->at, text, length);
  commit(t, t->at + length);
}

/* The program itself has no name in the list of the dynamic linker. */
static int emit_module(struct dl_phdr_info *info, size_t size, void *data) {
  RtThread *t = data;
  char own[TRACE_PAGE];
  const char *path = info->dlpi_name;
  (void)size;
  if (!*path) {
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    own[n > 0 ? n : 0] = 0;
    path = own;
  }
  if (path[0] == '/' && rt_length(path) < TRACE_PAGE)
    rt_emit_text(t, TRACE_MODULE, info->dlpi_addr, path);
  return 0;
}

void rt_emit_modules(RtThread *t) {
  dl_iterate_phdr(emit_module, t);
}
