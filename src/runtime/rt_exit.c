/* The end of the program: return from main, exit, _exit, abort, a signal that ends it.
 *
 * A program that ends while its threads have hardly begun shows nothing of them. So the end
 * of a recorded run waits a while (Control.linger) for threads that could still go on, and
 * no longer than that: when all of them wait for something without a limit of time, or are
 * done, it comes at once. What a thread does is asked of the kernel, which also knows of
 * waits that are not the runtime's. In a replay the end waits for the rest of the schedule,
 * and for the two threads of a race. */
#include "runtime/rt.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_mine(void) {
  return rt_control && rt_control->process == (uint32_t)getpid();
}

/* ---- what a thread is doing ------------------------------------------------------- */

enum { CALL_ARGUMENTS = 6 };

typedef struct {
  long number; /* -1: none */
  uint64_t arguments[CALL_ARGUMENTS];
} Call;

/* "202 0x7f… 0x80 …", of /proc/self/task/N/syscall. */
static void read_call(const char *text, Call *ret) {
  uint64_t fields[1 + CALL_ARGUMENTS] = {0};
  unsigned field = 0;
  bool any = false;
  for (; *text && field < 1 + CALL_ARGUMENTS; text++) {
    char c = *text;
    int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit >= 0) {
      fields[field] = fields[field] * (field ? 16 : 10) + (unsigned)digit;
      any = true;
    } else if (c == 'x') {
      fields[field] = 0;
    } else if (any) {
      field++;
      any = false;
    }
  }
  ret->number = (long)fields[0];
  for (unsigned i = 0; i < CALL_ARGUMENTS; i++) ret->arguments[i] = fields[1 + i];
}

static bool waits_for_ever(const Call *c) {
  const uint64_t *a = c->arguments;
  switch (c->number) {
  case SYS_futex: {
    unsigned what = (unsigned)a[1] & (unsigned)FUTEX_CMD_MASK;
    return (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET || what == FUTEX_LOCK_PI) &&
           !a[3];
  }
  case SYS_read:
  case SYS_readv:
  case SYS_recvfrom:
  case SYS_recvmsg:
  case SYS_accept:
  case SYS_accept4:
  case SYS_pause:
  case SYS_rt_sigsuspend:
  case SYS_wait4:
  case SYS_waitid:
  case SYS_flock:
  case SYS_msgrcv: return true;
  case SYS_rt_sigtimedwait:
  case SYS_ppoll: return !a[2];
  case SYS_poll: return (int)a[2] < 0;
  case SYS_epoll_wait:
  case SYS_epoll_pwait: return (int)a[3] < 0;
  case SYS_select:
  case SYS_pselect6: return !a[4];
  default: return false; /* it sleeps for a time, or computes */
  }
}

/* One that nobody can ask may do something. */
bool rt_goes_on(const RtThread *t) {
  char path[64] = "/proc/self/task/", text[256];
  size_t at = rt_length(path);
  if (!t->tid) return true; /* it has not begun */
  at += rt_put_number(path + at, (uint32_t)t->tid);
  rt_copy(path + at, "/syscall", 9);
  int fd = (int)rt_system(SYS_open, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
  if (fd < 0) return fd != -ENOENT && fd != -ESRCH;
  long got = rt_system(SYS_read, fd, (long)text, sizeof text - 1, 0, 0, 0);
  rt_system(SYS_close, fd, 0, 0, 0, 0, 0);
  if (got <= 0) return got != -ESRCH;
  text[got] = 0;
  if (text[0] < '0' || text[0] > '9') return true; /* "running" */
  Call call;
  read_call(text, &call);
  return !waits_for_ever(&call);
}

static bool any_goes_on(void) {
  bool any = false;
  rt_lock();
  for (RtThread *t = rt_threads; t && !any; t = t->next)
    any = t != rt_self && !t->ended && rt_goes_on(t);
  rt_unlock();
  return any;
}

/* ---- waiting ---------------------------------------------------------------------- */

static uint64_t microseconds(void) {
  struct timespec t;
  rt_system(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0, 0, 0, 0);
  return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void pause_for(uint64_t time) {
  struct timespec moment = {0, (long)time * 1000};
  rt_system(SYS_nanosleep, (long)&moment, 0, 0, 0, 0, 0);
}

/* A thread that was released a moment ago does not go on yet: two looks in a row between
 * which nothing happened tell. */
static void linger(void) {
  enum { SHORTEST = 100, LONGEST = 5000 };
  uint64_t end = microseconds() + (uint64_t)rt_control->linger * 1000;
  uint64_t before = 0, time = SHORTEST;
  bool quiet = false;
  while (microseconds() < end) {
    uint64_t now = rt_record_events();
    if (any_goes_on() || now != before)
      quiet = false;
    else if (quiet)
      return;
    else
      quiet = true;
    before = now;
    pause_for(time);
    if (time < LONGEST) time += time / 2;
  }
}

void rt_exit_linger(void) {
  static int lingers;
  if (!rt_threaded || !is_mine() || !rt_control->linger || rt_is_guided()) return;
  RtThread *self = rt_self;
  if (!self || self->busy || __atomic_exchange_n(&lingers, 1, __ATOMIC_ACQ_REL)) return;
  if (rt_mode == CONTROL_RECORD) {
    rt_record_flush(self);
    linger();
  } else if (rt_mode == CONTROL_REPLAY) {
    rt_replay_exit(self);
  }
}

/* ---- the end ---------------------------------------------------------------------- */

static void record_end(void) {
  if (rt_mode != CONTROL_RECORD || !is_mine()) return;
  if (rt_self && !rt_self->ended) rt_record_flush(rt_self);
  rt_record_peak();
  rt_record_state(TRACE_ENDED);
  rt_process_ends();
}

static void at_exit(void) {
  if (rt_is_guided()) rt_guide_exit();
  rt_exit_linger(); /* when no thread was there to call rt_exit_early for */
  record_end();
}

static _Noreturn void end(int status) {
  for (;;) rt_system(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

/* A program may end without its exit handlers. A child of vfork does not end the program,
 * though it has its memory. */
static _Noreturn void leave(int status) {
  at_exit();
  end(status);
}
__attribute__((visibility("default"), weak)) void _exit(int status) {
  leave(status);
}
__attribute__((visibility("default"), weak)) void _Exit(int status) {
  leave(status);
}

void rt_stop(void) {
  record_end();
  end(125);
}

/* A signal that would have ended the program at once still does so, a little later; the second
 * one at once. What the signal interrupted is not touched, and a thread inside of the runtime does
 * not wait. */
static void on_fatal(int number) {
  int saved = errno;
  rt_exit_linger();
  errno = saved;
  rt_system(SYS_tgkill, getpid(), rt_tid(), number, 0, 0, 0);
}

/* Only where nobody else wants them: what the program installs later replaces these. A replay
 * asks which handlers the program has, and gets none of these. */
static void take_fatal(void) {
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,
                                SIGTERM, SIGINT, SIGQUIT, SIGHUP};
  struct sigaction now,
      wanted = {.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK)};
  wanted.sa_handler = on_fatal;
  if (rt_mode != CONTROL_RECORD) return;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
        now.sa_handler == SIG_DFL)
      sigaction(numbers[i], &wanted, NULL);
}

/* Handlers run in the reverse order of their registration: of those of the program, the
 * ones from before the first thread come after this. */
void rt_exit_early(void) {
  if (!rt_control->linger) return;
  atexit(rt_exit_linger);
  take_fatal();
}

void rt_exit_init(void) {
  atexit(at_exit);
}
