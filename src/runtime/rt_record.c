/* Writing the trace: blocks of the file that are mapped while a thread fills them, and
 * the events in them. Accesses are the matter of rt_fresh.c.
 *
 * Nothing is buffered outside of the file's pages, so there is nothing to lose when the
 * program is killed. A block is reserved on the disk before it is mapped; when that
 * fails, the trace is marked incomplete and the program goes on.
 *
 * The file's descriptor is a high one, so that the program gets the numbers that it is
 * used to. Programs also close all descriptors that they do not know: before each use it
 * is checked that the number still means the trace, and else the file is opened again.
 * Nothing is ever written to a file of the program. */
#include "runtime/rt_put.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A thread's blocks grow up to a size that stays in the processor's caches. */
enum { FIRST_BLOCK = TRACE_UNIT, LAST_BLOCK = 1 << 18 };

static TraceHeader *header;
static int trace_fd = -1;
static dev_t trace_device;
static ino_t trace_inode;

/* ---- blocks ----------------------------------------------------------------------- */

enum { HIGHEST = 1 << 16, BELOW = 8 }; /* the kernel's table grows with the number */

static int move_up(int fd) {
  struct rlimit limit;
  rlim_t most = HIGHEST;
  if (fd >= 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most)
    most = limit.rlim_cur;
  int high = fd >= 0 && most > BELOW ? fcntl(fd, F_DUPFD_CLOEXEC, (int)most - BELOW) : -1;
  if (high >= 0) close(fd);
  return high >= 0 ? high : fd;
}

static bool is_trace(int fd) {
  struct stat info;
  return fd >= 0 && fstat(fd, &info) == 0 && info.st_dev == trace_device &&
         info.st_ino == trace_inode;
}

/* The file, also when the program closed it. Two threads may open it again at once: both
 * descriptors are good. */
static int trace_file(void) {
  int fd = __atomic_load_n(&trace_fd, __ATOMIC_ACQUIRE);
  if (is_trace(fd)) return fd;
  fd = move_up(open(rt_control->trace, O_RDWR | O_CLOEXEC));
  if (!is_trace(fd)) {
    if (fd >= 0) close(fd);
    errno = EBADF;
    return -1;
  }
  __atomic_store_n(&trace_fd, fd, __ATOMIC_RELEASE);
  return fd;
}

/* A limit on the size of files would end the program by a signal: it is asked first. */
int rt_reserve(int fd, uint64_t offset, uint64_t size) {
  struct rlimit limit;
  int result;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      offset + size > limit.rlim_cur)
    return EFBIG;
  if (fd < 0) return EBADF;
  do result = posix_fallocate(fd, (off_t)offset, (off_t)size);
  while (result == EINTR);
  return result;
}

bool rt_record_open(const char *path) {
  struct stat info;
  if (trace_fd >= 0) close(trace_fd); /* that of the parent */
  trace_fd = move_up(open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (trace_fd < 0 || rt_reserve(trace_fd, 0, TRACE_UNIT) != 0 ||
      fstat(trace_fd, &info) != 0)
    return false;
  trace_device = info.st_dev;
  trace_inode = info.st_ino;
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

uint64_t rt_record_events(void) {
  return header ? __atomic_load_n(&header->sequence, __ATOMIC_RELAXED) : 0;
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
  if (t->block) rt_unmap(t->block, t->block->size);
  t->block = NULL;
  t->at = t->limit = NULL;
  t->waiting = 0;
}

static bool cannot_grow(int why) {
  if (!(__atomic_fetch_or(&header->state, TRACE_INCOMPLETE, __ATOMIC_ACQ_REL) &
        TRACE_INCOMPLETE)) {
    header->lost_errno = why;
    rt_say("the trace cannot grow (no space, or a limit on files); the program goes "
           "on, and what comes now is missing");
  }
  return false;
}

static void begin_block(RtThread *t) {
  t->at = (uint8_t *)(t->block + 1);
  t->limit = (uint8_t *)t->block + t->block->size;
  t->last_address = t->last_access_pc = t->last_sequence = t->last_pc = t->last_object =
      0;
  t->event_end = t->at;
  rt_fold_forget(t);
}

/* A larger one than the last, in a place of its own. */
static bool new_block(RtThread *t) {
  uint32_t size = t->block ? t->block->size * 2 : FIRST_BLOCK;
  if (t->block) __atomic_store_n(&t->block->magic, TRACE_BLOCK_MAGIC, __ATOMIC_RELEASE);
  drop_block(t);
  uint64_t offset = __atomic_fetch_add(&header->end, size, __ATOMIC_RELAXED);
  int fd = trace_file(), failed = rt_reserve(fd, offset, size);
  void *at = failed ? NULL : rt_map_file(size, fd, offset);
  if (!at) return cannot_grow(failed ? failed : errno);
  t->block = at;
  t->block->thread = t->number;
  t->block->number = t->blocks++;
  t->block->size = size;
  __atomic_store_n(&t->block->magic, TRACE_OPEN_MAGIC, __ATOMIC_RELEASE);
  begin_block(t);
  return true;
}

static int write_at(int fd, const void *bytes, size_t size, uint64_t offset) {
  for (const char *at = bytes; size;) {
    ssize_t n = syscall(SYS_pwrite64, fd, at, size, (off_t)offset);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n ? errno : EIO;
    at += n, size -= (size_t)n, offset += (uint64_t)n;
  }
  return 0;
}

/* Pages that are written for the first time cost far more than a copy of what is in them:
 * so the last block is emptied into the file and filled again. The copy counts from when
 * its header is there, and the block as another one from when it is empty; what ends the
 * program in between leaves two of the same number. */
static bool empty_block(RtThread *t) {
  TraceBlock copy, *block = t->block;
  uint64_t offset = __atomic_fetch_add(&header->end, block->size, __ATOMIC_RELAXED);
  int fd = trace_file(), failed = rt_reserve(fd, offset, block->size);
  rt_copy(&copy, block, sizeof copy);
  copy.magic = TRACE_BLOCK_MAGIC;
  if (!failed) failed = write_at(fd, block + 1, block->used, offset + sizeof copy);
  if (!failed) failed = write_at(fd, &copy, sizeof copy, offset);
  if (failed) {
    drop_block(t);
    return cannot_grow(failed);
  }
  __atomic_store_n(&block->used, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&block->number, t->blocks++, __ATOMIC_RELEASE);
  begin_block(t);
  return true;
}

static bool next_block(RtThread *t) {
  if (__atomic_load_n(&header->state, __ATOMIC_RELAXED) & TRACE_INCOMPLETE) {
    drop_block(t);
    return false;
  }
  int saved = errno;
  bool ok = t->block && t->block->size >= LAST_BLOCK ? empty_block(t) : new_block(t);
  errno = saved;
  return ok;
}

void rt_record_flush(RtThread *t) {
  if (t->busy) return;
  t->busy = true;
  rt_put_pending(t);
  t->busy = false;
}

void rt_record_close(RtThread *t) {
  rt_put_pending(t);
  drop_block(t);
}

bool rt_make_room(RtThread *t) {
  rt_put_pending(t);
  return next_block(t);
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
         op != TRACE_EVENT_KIND && op != TRACE_VALUES && op != TRACE_FENCE &&
         op != TRACE_GIVE && op != TRACE_TAKE && op != TRACE_FOLD;
}

void rt_emit(RtThread *t, TraceOp op, uintptr_t object, uintptr_t pc, uint64_t a,
             uint64_t b, uint64_t c) {
  if (t->busy) return;
  t->busy = true;
  rt_put_pending(t);
  if (rt_room(t, MOST_BYTES_PER_EVENT)) {
    uint64_t arguments[3] = {a, b, c};
    uint64_t sequence = __atomic_fetch_add(&header->sequence, 1, __ATOMIC_SEQ_CST);
    uint8_t *at = t->at;
    RtPast where = {.begin = t->event_end,
                    .op = at,
                    .sequence = sequence,
                    .sequence_before = t->last_sequence};
    *at++ = (uint8_t)op;
    at = rt_put(at, sequence - t->last_sequence);
    where.rest = at;
    t->last_sequence = sequence;
    at = rt_put_difference(at, pc, &t->last_pc);
    at = rt_put_difference(at, object, &t->last_object);
    for (unsigned i = 0; i < argument_count[op]; i++) at = rt_put(at, arguments[i]);
    rt_commit(t, at);
    where.end = at;
    rt_fold_event(t, op, object, pc, arguments, &where);
    t->event_end = t->at;
  }
  rt_next_segment(t);
  if (is_turn(op)) {
    t->events++;
    t->loaded = 0;
    if (rt_control->variation) rt_vary_event(t);
  }
  t->busy = false;
}

/* ---- modules ---------------------------------------------------------------------- */

/* An event whose only argument is the length of the text behind it. */
void rt_emit_text(RtThread *t, TraceOp op, uintptr_t object, const char *text) {
  size_t length = rt_length(text);
  if (!rt_room(t, MOST_BYTES_PER_EVENT + length)) return;
  rt_emit(t, op, object, 0, length, 0, 0);
  rt_copy(t->at, text, length);
  rt_commit(t, t->at + length);
  t->event_end = t->at;
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
