/* The ends of a program that a guided replay wants to see, and sleep, which it has no time
 * for: how long a thread sleeps orders nothing, the guide does. Without a guide they are
 * what they always were. */
#include "runtime/rt.h"

#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), weak))

EXPORT _Noreturn void __assert_fail(const char *text, const char *file, unsigned line,
                                    const char *function);
_Noreturn void __assert_fail(const char *text, const char *file, unsigned line,
                             const char *function) {
  rt_guide_failed(RT_CALLER);
  rt_exit_linger();
  REAL(__assert_fail)(text, file, line, function);
  __builtin_unreachable();
}

EXPORT _Noreturn void abort(void) {
  rt_guide_failed(RT_CALLER);
  rt_exit_linger();
  REAL(abort)();
  __builtin_unreachable();
}

EXPORT unsigned sleep(unsigned seconds) {
  return rt_is_guided() ? 0 : REAL(sleep)(seconds);
}

EXPORT int usleep(unsigned microseconds) {
  return rt_is_guided() ? 0 : REAL(usleep)(microseconds);
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *left) {
  return rt_is_guided() ? 0 : REAL(nanosleep)(time, left);
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *left) {
  return rt_is_guided() ? 0 : REAL(clock_nanosleep)(clock, flags, time, left);
}
