/* What programs say to ThreadSanitizer themselves. Since the instrumentation is the same,
 * they believe that its library is there (__has_feature, __SANITIZE_THREAD__), and call
 * its functions by name.
 *
 * An order that they tell is taken as the annotations of heddle.h are. Locks of their own
 * are seen by the atomic variables that they are made of, so what is said about them is
 * not needed; nor is the rest, but the names must be there. */
#include "runtime/rt.h"

#define EXPORT __attribute__((visibility("default"), weak))

void AnnotateHappensBefore(const char *file, int line, const volatile void *object);
void AnnotateHappensAfter(const char *file, int line, const volatile void *object);

EXPORT void __tsan_acquire(void *object);
EXPORT void __tsan_release(void *object);
void __tsan_acquire(void *object) {
  rt_outer_pc = RT_CALLER;
  AnnotateHappensAfter(NULL, 0, object);
  rt_outer_pc = 0;
}
void __tsan_release(void *object) {
  rt_outer_pc = RT_CALLER;
  AnnotateHappensBefore(NULL, 0, object);
  rt_outer_pc = 0;
}

/* ---- accesses to leave out --------------------------------------------------------- */

static void ignore(bool on) {
  if (rt_self) rt_self->ignoring = on;
}

#define IGNORE(name, on)                                                                 \
  EXPORT void name(const char *file, int line);                                          \
  void name(const char *file, int line) {                                                \
    (void)file, (void)line;                                                              \
    ignore(on);                                                                          \
  }
IGNORE(AnnotateIgnoreReadsBegin, true)
IGNORE(AnnotateIgnoreReadsEnd, false)
IGNORE(AnnotateIgnoreWritesBegin, true)
IGNORE(AnnotateIgnoreWritesEnd, false)

/* ---- names only -------------------------------------------------------------------- */

/* The arguments lie in registers, however many there are. */
#define NOTHING(name)                                                                    \
  EXPORT void name(void);                                                                \
  void name(void) {}
#define NONE(name)                                                                       \
  EXPORT void *name(void);                                                               \
  void *name(void) {                                                                     \
    return NULL;                                                                         \
  }
NOTHING(__tsan_mutex_create)
NOTHING(__tsan_mutex_destroy)
NOTHING(__tsan_mutex_pre_lock)
NOTHING(__tsan_mutex_post_lock)
NONE(__tsan_mutex_pre_unlock) /* how many levels of a recursive one: 0 */
NOTHING(__tsan_mutex_post_unlock)
NOTHING(__tsan_mutex_pre_signal)
NOTHING(__tsan_mutex_post_signal)
NOTHING(__tsan_mutex_pre_divert)
NOTHING(__tsan_mutex_post_divert)
NOTHING(__tsan_check_no_mutexes_held)
NONE(__tsan_get_current_fiber)
NONE(__tsan_create_fiber)
NOTHING(__tsan_destroy_fiber)
NOTHING(__tsan_switch_to_fiber)
NOTHING(__tsan_set_fiber_name)
NOTHING(__tsan_flush_memory)
NOTHING(AnnotateIgnoreSyncBegin)
NOTHING(AnnotateIgnoreSyncEnd)
NOTHING(AnnotateRWLockCreate)
NOTHING(AnnotateRWLockCreateStatic)
NOTHING(AnnotateRWLockDestroy)
NOTHING(AnnotateRWLockAcquired)
NOTHING(AnnotateRWLockReleased)
NOTHING(AnnotateBenignRace)
NOTHING(AnnotateBenignRaceSized)
NOTHING(AnnotateNewMemory)
NOTHING(AnnotateThreadName)
NOTHING(AnnotateEnableRaceDetection)
NOTHING(AnnotateFlushState)
NOTHING(AnnotateMutexIsNotPHB)
NOTHING(AnnotateMutexIsUsedAsCondVar)
NOTHING(__sanitizer_syscall_pre_impl_close)
NOTHING(__sanitizer_syscall_post_impl_close)
