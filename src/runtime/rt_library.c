/* Further functions of the C library, as accesses: numbers in text, words, sorting, lines,
 * the time. Text that is formatted is the matter of rt_format.c.
 *
 * As in rt_string.c, what they read and write is told in front of them. Where only the
 * function knows how much that is, it is asked twice. The names are weak, and only in
 * programs that heddle built. */
#undef _FILE_OFFSET_BITS
#define __NO_INLINE__ 1 /* the functions themselves, not what headers make of them */
#include "runtime/rt_next.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define EXPORT __attribute__((visibility("default"), weak))

#define FUNCTIONS(X)                                                                     \
  X(size_t, strspn, (const char *, const char *))                                        \
  X(size_t, strcspn, (const char *, const char *))                                       \
  X(char *, strtok_r, (char *, const char *, char **))                                   \
  X(long, strtol, (const char *, char **, int))                                          \
  X(unsigned long, strtoul, (const char *, char **, int))                                \
  X(long long, strtoll, (const char *, char **, int))                                    \
  X(unsigned long long, strtoull, (const char *, char **, int))                          \
  X(double, strtod, (const char *, char **))                                             \
  X(void, qsort, (void *, size_t, size_t, int (*)(const void *, const void *)))          \
  X(ssize_t, getdelim, (char **, size_t *, int, FILE *))                                 \
  X(struct tm *, gmtime, (const time_t *))                                               \
  X(struct tm *, localtime, (const time_t *))                                            \
  X(struct tm *, gmtime_r, (const time_t *, struct tm *))                                \
  X(struct tm *, localtime_r, (const time_t *, struct tm *))                             \
  X(int, clock_gettime, (clockid_t, struct timespec *))                                  \
  X(int, gettimeofday, (struct timeval *, void *))

RT_NEXT(FUNCTIONS)

static void reads(const void *p, size_t size, uintptr_t pc) {
  rt_range((uintptr_t)p, size, 0, pc);
}

static void writes(const void *p, size_t size, uintptr_t pc) {
  rt_range((uintptr_t)p, size, TRACE_WRITE, pc);
}

/* A model's steps have the signal itself, and no access beside it. */
void rt_condition_used(const void *condition, uintptr_t pc) {
  if (!rt_is_guided()) reads(condition, 1, pc);
}

void rt_condition_ends(const void *condition, uintptr_t pc) {
  if (!rt_is_guided()) writes(condition, 1, pc);
}

/* ---- words ------------------------------------------------------------------------ */

static void looks_for_word(char *text, const char *ends, char **rest, uintptr_t pc) {
  if (!text) reads(rest, sizeof *rest, pc);
  char *from = text ? text : *rest;
  if (from) {
    char *word = from + REAL_OF(strspn)(from, ends);
    char *end = word + REAL_OF(strcspn)(word, ends);
    reads(from, (size_t)(end - from) + 1, pc);
    if (end > word && *end) writes(end, 1, pc);
  }
  reads(ends, rt_length(ends) + 1, pc);
  writes(rest, sizeof *rest, pc);
}

EXPORT char *strtok_r(char *restrict text, const char *restrict ends,
                      char **restrict rest) {
  if (WATCHED) looks_for_word(text, ends, rest, RT_CALLER);
  return REAL_OF(strtok_r)(text, ends, rest);
}

/* The same with a variable that all threads share. */
EXPORT char *strtok(char *restrict text, const char *restrict ends) {
  static char *rest_of_strtok;
  if (WATCHED) looks_for_word(text, ends, &rest_of_strtok, RT_CALLER);
  return REAL_OF(strtok_r)(text, ends, &rest_of_strtok);
}

/* ---- numbers ---------------------------------------------------------------------- */

#define NUMBER(type, name)                                                               \
  EXPORT type name(const char *restrict text, char **restrict end, int base) {           \
    if (WATCHED) {                                                                       \
      char *last;                                                                        \
      int saved = errno;                                                                 \
      REAL_OF(name)(text, &last, base);                                                  \
      errno = saved;                                                                     \
      reads(text, (size_t)(last - text) + 1, RT_CALLER);                                 \
      if (end) writes(end, sizeof *end, RT_CALLER);                                      \
    }                                                                                    \
    return REAL_OF(name)(text, end, base);                                               \
  }

NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)

static double number_in(const char *text, char **end, uintptr_t pc) {
  if (WATCHED) {
    char *last;
    int saved = errno;
    REAL_OF(strtod)(text, &last);
    errno = saved;
    reads(text, (size_t)(last - text) + 1, pc);
    if (end) writes(end, sizeof *end, pc);
  }
  return REAL_OF(strtod)(text, end);
}

EXPORT double strtod(const char *restrict text, char **restrict end) {
  return number_in(text, end, RT_CALLER);
}

EXPORT double atof(const char *text) {
  return number_in(text, NULL, RT_CALLER);
}

static long integer_in(const char *text, uintptr_t pc) {
  if (WATCHED) {
    char *last;
    int saved = errno;
    REAL_OF(strtol)(text, &last, 10);
    errno = saved;
    reads(text, (size_t)(last - text) + 1, pc);
  }
  return REAL_OF(strtol)(text, NULL, 10);
}

EXPORT int atoi(const char *text) {
  return (int)integer_in(text, RT_CALLER);
}

EXPORT long atol(const char *text) {
  return integer_in(text, RT_CALLER);
}

/* ---- sorting, lines ---------------------------------------------------------------- */

EXPORT void qsort(void *base, size_t count, size_t size,
                  int (*compare)(const void *, const void *)) {
  if (WATCHED && count > 1) {
    reads(base, count * size, RT_CALLER);
    writes(base, count * size, RT_CALLER);
  }
  REAL_OF(qsort)(base, count, size, compare);
}

/* What is in the file is not known; but without a buffer it makes one. */
static ssize_t get_line(char **line, size_t *size, int end, FILE *file, uintptr_t pc) {
  bool watched = WATCHED && line && size;
  if (watched) {
    unsigned flags = !*line || !*size ? TRACE_WRITE : 0;
    rt_range((uintptr_t)line, sizeof *line, flags, pc);
    rt_range((uintptr_t)size, sizeof *size, flags, pc);
  }
  ssize_t got = REAL_OF(getdelim)(line, size, end, file);
  if (watched && got >= 0 && rt_mode == CONTROL_RECORD)
    writes(*line, (size_t)got + 1, pc);
  return got;
}

EXPORT ssize_t getdelim(char **restrict line, size_t *restrict size, int end,
                        FILE *restrict file) {
  return get_line(line, size, end, file, RT_CALLER);
}

/* The name that headers put in their place. */
EXPORT ssize_t __getdelim(char **restrict line, size_t *restrict size, int end,
                          FILE *restrict file) {
  return get_line(line, size, end, file, RT_CALLER);
}

EXPORT ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict file) {
  return get_line(line, size, '\n', file, RT_CALLER);
}

/* ---- the time ---------------------------------------------------------------------- */

EXPORT struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict ret) {
  if (WATCHED) {
    reads(time, sizeof *time, RT_CALLER);
    writes(ret, sizeof *ret, RT_CALLER);
  }
  return REAL_OF(gmtime_r)(time, ret);
}

EXPORT struct tm *localtime_r(const time_t *restrict time, struct tm *restrict ret) {
  if (WATCHED) {
    reads(time, sizeof *time, RT_CALLER);
    writes(ret, sizeof *ret, RT_CALLER);
  }
  return REAL_OF(localtime_r)(time, ret);
}

/* These fill a variable of the C library: where it is, a first call tells. */
EXPORT struct tm *gmtime(const time_t *time) {
  if (WATCHED) {
    reads(time, sizeof *time, RT_CALLER);
    struct tm *shared = REAL_OF(gmtime)(time);
    if (shared) writes(shared, sizeof *shared, RT_CALLER);
  }
  return REAL_OF(gmtime)(time);
}

EXPORT struct tm *localtime(const time_t *time) {
  if (WATCHED) {
    reads(time, sizeof *time, RT_CALLER);
    struct tm *shared = REAL_OF(localtime)(time);
    if (shared) writes(shared, sizeof *shared, RT_CALLER);
  }
  return REAL_OF(localtime)(time);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *ret) {
  if (WATCHED) writes(ret, sizeof *ret, RT_CALLER);
  return REAL_OF(clock_gettime)(clock, ret);
}

EXPORT int gettimeofday(struct timeval *restrict ret, void *restrict zone) {
  if (WATCHED) writes(ret, sizeof *ret, RT_CALLER);
  return REAL_OF(gettimeofday)(ret, zone);
}
