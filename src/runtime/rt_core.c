/* The way in and out: what the control file asks for, the list of threads, the big lock. Which
 * process has which control file is the matter of rt_process.c. */
#include "runtime/rt.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What gcc and clang make of a parallel region calls them, wherever they are linked from. */
extern void GOMP_parallel(void) __attribute__((weak));
extern void __kmpc_fork_call(void) __attribute__((weak));

/* heddle looks for it in a program's file. */
__attribute__((used, visibility("default"))) const char heddle_runtime_mark[] =
    TRACE_MARK;

/* Instrumented functions ask it when they begin: 0 leads to a body without
 * instrumentation. It follows rt_mode. */
__attribute__((visibility("default"))) int __heddle_watched;

int rt_mode, rt_accesses, rt_threaded;
Control *rt_control;
RtThread *rt_threads;
__thread RtThread *rt_self __attribute__((tls_model("initial-exec")));

__thread uintptr_t rt_outer_pc __attribute__((tls_model("initial-exec")));

static pthread_key_t end_key;
static int big_lock; /* 0 free, 1 taken, 2 taken and wanted */
int rt_posted;

/* ---- small things ----------------------------------------------------------------- */

/* They leave errno alone. */
static long futex(int *word, int operation, int value, const struct timespec *limit) {
  return rt_system(SYS_futex, (long)word, operation, value, (long)limit, 0, 0);
}

void rt_futex_wait(int *word, int value) {
  futex(word, FUTEX_WAIT_PRIVATE, value, NULL);
}

bool rt_futex_wait_for(int *word, int value, const struct timespec *limit) {
  return futex(word, FUTEX_WAIT_PRIVATE, value, limit) != -ETIMEDOUT;
}

void rt_futex_wake(int *word) {
  futex(word, FUTEX_WAKE_PRIVATE, 1 << 30, NULL);
}

void rt_lock(void) {
  int free = 0;
  if (rt_self) rt_self->busy = true;
  if (__atomic_compare_exchange_n(&big_lock, &free, 1, false, __ATOMIC_ACQUIRE,
                                  __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n(&big_lock, 2, __ATOMIC_ACQUIRE)) rt_futex_wait(&big_lock, 2);
}

static void release(void) {
  if (__atomic_exchange_n(&big_lock, 0, __ATOMIC_RELEASE) == 2)
    futex(&big_lock, FUTEX_WAKE_PRIVATE, 1, NULL);
  if (rt_self) rt_self->busy = false;
}

void rt_unlock(void) {
  release();
  while (__builtin_expect(__atomic_load_n(&rt_posted, __ATOMIC_ACQUIRE), 0)) {
    __atomic_store_n(&rt_posted, 0, __ATOMIC_RELEASE);
    rt_lock();
    rt_retry();
    release();
  }
}

void rt_say(const char *text) {
  char line[240];
  size_t length = rt_length(text);
  if (length > sizeof line - 9) length = sizeof line - 9;
  rt_copy(line, "heddle: ", 8);
  rt_copy(line + 8, text, length);
  line[8 + length] = '\n';
  syscall(SYS_write, STDERR_FILENO, line, length + 9);
}

int rt_tid(void) {
  return (int)syscall(SYS_gettid);
}

/* The runtime's own memory lies in a region of its own, far from where the kernel puts
 * the program's: so that the program has the same addresses whether it is recorded or
 * replayed. */
void *rt_map_file(size_t size, int fd, uint64_t offset) {
  static uintptr_t region = UINT64_C(0x100000000000);
  size_t whole = (size + TRACE_PAGE - 1) / TRACE_PAGE * TRACE_PAGE;
  int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED | MAP_POPULATE;
  void *at = (void *)__atomic_fetch_add(&region, whole, __ATOMIC_RELAXED);
  long p = rt_system(SYS_mmap, (long)at, (long)size, PROT_READ | PROT_WRITE,
                     flags | MAP_FIXED_NOREPLACE, fd, (long)offset);
  if (p < 0 && p >= -4095)
    p = rt_system(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE, flags, fd,
                  (long)offset);
  if (p < 0 && p >= -4095) {
    errno = (int)-p;
    return NULL;
  }
  return (void *)p;
}

void *rt_map(size_t size) {
  void *p = rt_map_file(size, -1, 0);
  if (!p) {
    rt_say("no memory is left for the runtime");
    rt_stop();
  }
  return p;
}

/* ---- threads ---------------------------------------------------------------------- */

RtThread *rt_thread_new(RtThread *parent) {
  RtThread *t = rt_map(sizeof *t);
  t->scheduled = CONTROL_NO_THREAD;
  t->hold = -1;
  t->rounds = 3;
  t->held = t->few_held;
  t->held_room = RT_FEW_HELD;
  if (parent) {
    t->parent = parent->number;
    t->index = parent->children++;
  }
  t->number = rt_record_new_thread();
  if (rt_mode == CONTROL_RECORD) {
    rt_cache_new(t);
  } else {
    t->frames = rt_map(RT_MOST_FRAMES * sizeof *t->frames);
    t->parent = parent ? parent->scheduled : CONTROL_NO_THREAD;
    rt_replay_thread(t);
  }
  rt_lock();
  t->next = rt_threads;
  rt_threads = t;
  rt_unlock();
  return t;
}

RtThread *rt_thread_find(pthread_t handle) {
  rt_lock();
  RtThread *t = rt_threads;
  while (t && (t->joined || !t->handle || !pthread_equal(t->handle, handle))) t = t->next;
  rt_unlock();
  return t;
}

/* A thread that the program made behind the runtime's back (clone, a library that was
 * linked otherwise). It is recorded, but no schedule knows it. */
RtThread *rt_adopt(void) {
  static __thread bool adopting __attribute__((tls_model("initial-exec")));
  if (adopting || !rt_control) return NULL;
  adopting = true;
  rt_one_more();
  RtThread *t = rt_thread_new(NULL);
  t->index = CONTROL_NO_THREAD;
  t->parent = CONTROL_NO_THREAD;
  t->scheduled = CONTROL_NO_THREAD;
  t->tid = rt_tid();
  t->handle = pthread_self();
  rt_self = t;
  rt_cache_use(t);
  pthread_setspecific(end_key, t);
  adopting = false;
  return t;
}

/* Destructors of thread-local data may still synchronise, so the end is told in the last
 * round of them. */
static void at_thread_end(void *data) {
  RtThread *t = data;
  if (t->rounds > 0) {
    t->rounds--;
    pthread_setspecific(end_key, t);
    return;
  }
  rt_thread_ended(t);
}

void rt_thread_ended(RtThread *t) {
  if (t->ended || rt_mode == CONTROL_OFF) return;
  rt_drop_robust(t);
  if (rt_mode == CONTROL_RECORD) {
    rt_emit(t, TRACE_END, 0, 0, 0, 0, 0);
    t->ended = true;
    rt_record_close(t);
    rt_cache_free(t);
  } else if (rt_mode == CONTROL_REPLAY) {
    TraceOp turn = rt_turn(t, TRACE_END, TRACE_NONE, 0);
    t->ended = true;
    rt_retry();
    rt_turn_done(t, turn);
  }
}

void rt_thread_begin(RtThread *t); /* for the trampoline in rt_thread.c */
void rt_thread_begin(RtThread *t) {
  rt_self = t;
  rt_cache_use(t);
  t->tid = rt_tid();
  t->handle = pthread_self();
  pthread_setspecific(end_key, t);
}

/* ---- the process ------------------------------------------------------------------ */

void rt_watch_nothing(void) {
  rt_mode = CONTROL_OFF;
  rt_accesses = rt_threaded = __heddle_watched = 0;
  rt_self = NULL;
  rt_threads = NULL;
  big_lock = 0;
}

/* The calling thread is the first of the process, or the only one that is left. */
void rt_watch(Control *control) {
  static bool prepared;
  if (control->mode == CONTROL_RECORD && !rt_record_open(control->trace)) {
    rt_say("the trace cannot be written; the program runs without recording");
    return;
  }
  rt_control = control;
  if (!prepared) {
    pthread_key_create(&end_key, at_thread_end);
    rt_exit_init();
  }
  prepared = true;
  rt_mode = (int)control->mode;
  rt_vary_process();
  __heddle_watched = rt_mode != CONTROL_OFF;
  RtThread *main_thread = rt_thread_new(NULL);
  main_thread->scheduled = 0;
  rt_thread_begin(main_thread);
  rt_replay_thread(main_thread);
  if (rt_mode == CONTROL_RECORD) {
    rt_emit_modules(main_thread);
    rt_tell_event_kinds(main_thread);
    if (GOMP_parallel || __kmpc_fork_call) rt_record_state(TRACE_OPENMP);
  } else {
    rt_replay_modules();
    rt_accesses = 1;
  }
}
