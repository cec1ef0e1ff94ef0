/* heddle.h: what a program tells heddle about synchronisation that heddle cannot see.
 *
 * A program may order its threads by means of its own: a futex, a pipe, memory shared
 * with a device. Two annotations say so:
 *
 *   HEDDLE_HAPPENS_BEFORE(object)   in the thread that lets go, before it does
 *   HEDDLE_HAPPENS_AFTER(object)    in the thread that goes on, after it was let
 *
 * Everything before the first comes before everything after the second, for the same
 * object: any address that both have. `heddle run` then predicts no order that
 * contradicts this, and a replay keeps it. The names ANNOTATE_HAPPENS_BEFORE and
 * ANNOTATE_HAPPENS_AFTER, which other tools use, mean the same; so do calls of
 * AnnotateHappensBefore and AnnotateHappensAfter themselves.
 *
 * HEDDLE_IGNORE_BEGIN() and HEDDLE_IGNORE_END() leave out the accesses of the calling
 * thread in between, for races that are meant.
 *
 * The functions are found in programs that `heddle cc` links, and in no
 * others: there the annotations do nothing, so they can stay in the source. C and C++,
 * with gcc and clang. */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak)) void AnnotateHappensBefore(const char *file, int line,
                                                 const volatile void *object);
__attribute__((weak)) void AnnotateHappensAfter(const char *file, int line,
                                                const volatile void *object);
__attribute__((weak)) void __tsan_ignore_thread_begin(void);
__attribute__((weak)) void __tsan_ignore_thread_end(void);

#ifdef __cplusplus
}
#endif

#define HEDDLE_HAPPENS_BEFORE(object)                                                    \
  (AnnotateHappensBefore ? AnnotateHappensBefore(__FILE__, __LINE__, (object)) : (void)0)
#define HEDDLE_HAPPENS_AFTER(object)                                                     \
  (AnnotateHappensAfter ? AnnotateHappensAfter(__FILE__, __LINE__, (object)) : (void)0)
#define HEDDLE_IGNORE_BEGIN()                                                            \
  (__tsan_ignore_thread_begin ? __tsan_ignore_thread_begin() : (void)0)
#define HEDDLE_IGNORE_END()                                                              \
  (__tsan_ignore_thread_end ? __tsan_ignore_thread_end() : (void)0)

#ifndef ANNOTATE_HAPPENS_BEFORE
#define ANNOTATE_HAPPENS_BEFORE(object) HEDDLE_HAPPENS_BEFORE(object)
#endif
#ifndef ANNOTATE_HAPPENS_AFTER
#define ANNOTATE_HAPPENS_AFTER(object) HEDDLE_HAPPENS_AFTER(object)
#endif

#endif
