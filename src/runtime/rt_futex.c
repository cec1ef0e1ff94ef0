/* Futexes of the program's own: std::future, std::latch, the waits of std::atomic and others
 * sleep in the kernel by `syscall`.
 *
 * What they wait for are values of atomic variables, which are recorded as such. In a
 * replay a thread may sleep although its turn has come, because it did not find the value
 * that it had in the recorded run: then the schedule cannot be followed. So a sleep
 * without a limit is made of slices. */
#include "runtime/rt.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), weak))

enum { SLICE = 20000000, SECOND = 1000000000 }; /* nanoseconds */

static bool sleeps_for_ever(long number, long operation, long limit) {
  long what = operation & FUTEX_CMD_MASK;
  return number == SYS_futex && (what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET) &&
         !limit;
}

/* FUTEX_WAIT says how long, the other one until when. */
static struct timespec end_of_slice(long operation) {
  struct timespec end = {0, 0};
  if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
    rt_system(SYS_clock_gettime,
              operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
              (long)&end, 0, 0, 0, 0);
  end.tv_nsec += SLICE;
  end.tv_sec += end.tv_nsec / SECOND;
  end.tv_nsec %= SECOND;
  return end;
}

static long sleep_in_slices(RtThread *t, const long *a, uintptr_t pc) {
  for (;;) {
    struct timespec end = end_of_slice(a[1]);
    long result = rt_system(SYS_futex, a[0], a[1], a[2], (long)&end, a[4], a[5]);
    if (result != -ETIMEDOUT) return result;
    rt_replay_sleeps(t, pc);
  }
}

/* Recording: who wakes may tell the sleepers something. */
static RtThread *recording(long number) {
  RtThread *t = number == SYS_futex && rt_mode == CONTROL_RECORD ? rt_active() : NULL;
  return t && rt_threaded ? t : NULL;
}

static void tell(RtThread *t, const long *a, bool before, uintptr_t pc) {
  long what = a[1] & FUTEX_CMD_MASK;
  bool waits = what == FUTEX_WAIT || what == FUTEX_WAIT_BITSET;
  if (t && waits != before)
    rt_emit(t, waits ? TRACE_TAKE : TRACE_GIVE,
            (uintptr_t)a[0] << TRACE_MEANS_BITS | TRACE_BY_FUTEX, pc, 0, 0, 0);
}

EXPORT long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number); /* there may be fewer; the kernel does not look at the others */
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  RtThread *t = rt_mode == CONTROL_REPLAY && sleeps_for_ever(number, a[1], a[3])
                    ? rt_active()
                    : NULL;
  RtThread *told = recording(number);
  tell(told, a, true, RT_CALLER);
  long result = t ? sleep_in_slices(t, a, RT_CALLER)
                  : rt_system(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  tell(told, a, false, RT_CALLER);
  if (result >= 0 || result < -4095) return result;
  errno = (int)-result;
  return -1;
}
