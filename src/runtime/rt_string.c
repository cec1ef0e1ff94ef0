/* The functions of the C library that move, compare and search memory, as accesses.
 *
 * They are compiled without instrumentation, so what they read and write is told here, in
 * front of them: by the bytes that the C standard says they look at. The names are weak,
 * like those of the heap: a program that brings its own functions keeps them. They are
 * only in programs that heddle built; where accesses are not seen at all, those of some
 * functions would be of no use.
 *
 * No other file of the runtime calls any of these by name: what the runtime itself does
 * to memory is no access of the program (see rt_copy and its sisters in rt.h). */
#include "runtime/rt_next.h"

#include <ctype.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default"), weak))

#define FUNCTIONS(X)                                                                     \
  X(void *, memcpy, (void *, const void *, size_t))                                      \
  X(void *, mempcpy, (void *, const void *, size_t))                                     \
  X(void *, memmove, (void *, const void *, size_t))                                     \
  X(void *, memset, (void *, int, size_t))                                               \
  X(int, memcmp, (const void *, const void *, size_t))                                   \
  X(void *, memchr, (const void *, int, size_t))                                         \
  X(size_t, strlen, (const char *))                                                      \
  X(size_t, strnlen, (const char *, size_t))                                             \
  X(char *, strcpy, (char *, const char *))                                              \
  X(char *, stpcpy, (char *, const char *))                                              \
  X(char *, strncpy, (char *, const char *, size_t))                                     \
  X(char *, strcat, (char *, const char *))                                              \
  X(char *, strncat, (char *, const char *, size_t))                                     \
  X(int, strcmp, (const char *, const char *))                                           \
  X(int, strncmp, (const char *, const char *, size_t))                                  \
  X(int, strcasecmp, (const char *, const char *))                                       \
  X(int, strncasecmp, (const char *, const char *, size_t))                              \
  X(char *, strchr, (const char *, int))                                                 \
  X(char *, strrchr, (const char *, int))                                                \
  X(char *, strstr, (const char *, const char *))                                        \
  X(char *, strdup, (const char *))                                                      \
  X(char *, strndup, (const char *, size_t))

RT_NEXT(FUNCTIONS)

static void reads(const void *p, size_t size, uintptr_t pc) {
  rt_range((uintptr_t)p, size, 0, pc);
}

static void writes(const void *p, size_t size, uintptr_t pc) {
  rt_range((uintptr_t)p, size, TRACE_WRITE, pc);
}

/* With its end. */
static void reads_string(const char *s, uintptr_t pc) {
  reads(s, REAL_OF(strlen)(s) + 1, pc);
}

/* The end only if it comes within the limit. */
static size_t length_within(const char *s, size_t most) {
  size_t length = REAL_OF(strnlen)(s, most);
  return length < most ? length + 1 : most;
}

/* ---- memory ----------------------------------------------------------------------- */

EXPORT void *memcpy(void *restrict to, const void *restrict from, size_t size) {
  if (WATCHED) {
    reads(from, size, RT_CALLER);
    writes(to, size, RT_CALLER);
  }
  return REAL_OF(memcpy)(to, from, size);
}

EXPORT void *mempcpy(void *restrict to, const void *restrict from, size_t size) {
  if (WATCHED) {
    reads(from, size, RT_CALLER);
    writes(to, size, RT_CALLER);
  }
  return REAL_OF(mempcpy)(to, from, size);
}

EXPORT void *memmove(void *to, const void *from, size_t size) {
  if (WATCHED) {
    reads(from, size, RT_CALLER);
    writes(to, size, RT_CALLER);
  }
  return REAL_OF(memmove)(to, from, size);
}

EXPORT void *memset(void *to, int byte, size_t size) {
  if (WATCHED) writes(to, size, RT_CALLER);
  return REAL_OF(memset)(to, byte, size);
}

/* It may stop at the first difference, but need not. */
EXPORT int memcmp(const void *a, const void *b, size_t size) {
  if (WATCHED) {
    reads(a, size, RT_CALLER);
    reads(b, size, RT_CALLER);
  }
  return REAL_OF(memcmp)(a, b, size);
}

EXPORT void *memchr(const void *p, int byte, size_t size) {
  void *at = REAL_OF(memchr)(p, byte, size);
  size_t looked_at = at ? (size_t)((char *)at - (const char *)p) + 1 : size;
  if (WATCHED) reads(p, looked_at, RT_CALLER);
  return at;
}

/* ---- strings ---------------------------------------------------------------------- */

EXPORT size_t strlen(const char *s) {
  size_t length = REAL_OF(strlen)(s);
  if (WATCHED) reads(s, length + 1, RT_CALLER);
  return length;
}

EXPORT size_t strnlen(const char *s, size_t most) {
  size_t length = REAL_OF(strnlen)(s, most);
  if (WATCHED) reads(s, length < most ? length + 1 : most, RT_CALLER);
  return length;
}

static void copies_string(char *to, const char *from, uintptr_t pc) {
  size_t size = REAL_OF(strlen)(from) + 1;
  reads(from, size, pc);
  writes(to, size, pc);
}

EXPORT char *strcpy(char *restrict to, const char *restrict from) {
  if (WATCHED) copies_string(to, from, RT_CALLER);
  return REAL_OF(strcpy)(to, from);
}

EXPORT char *stpcpy(char *restrict to, const char *restrict from) {
  if (WATCHED) copies_string(to, from, RT_CALLER);
  return REAL_OF(stpcpy)(to, from);
}

/* It fills what is left with zeros. */
EXPORT char *strncpy(char *restrict to, const char *restrict from, size_t size) {
  if (WATCHED) {
    reads(from, length_within(from, size), RT_CALLER);
    writes(to, size, RT_CALLER);
  }
  return REAL_OF(strncpy)(to, from, size);
}

static void appends(char *to, const char *from, size_t most, uintptr_t pc) {
  size_t length = REAL_OF(strlen)(to);
  reads(to, length + 1, pc);
  reads(from, length_within(from, most), pc);
  writes(to + length, REAL_OF(strnlen)(from, most) + 1, pc);
}

EXPORT char *strcat(char *restrict to, const char *restrict from) {
  if (WATCHED) appends(to, from, (size_t)PTRDIFF_MAX, RT_CALLER);
  return REAL_OF(strcat)(to, from);
}

EXPORT char *strncat(char *restrict to, const char *restrict from, size_t most) {
  if (WATCHED) appends(to, from, most, RT_CALLER);
  return REAL_OF(strncat)(to, from, most);
}

/* Up to the first difference or the end of either, and no byte further: what lies behind
 * may be anybody's, or nobody's. */
static void compares(const char *a, const char *b, size_t most, bool fold, uintptr_t pc) {
  size_t i = 0;
  while (i < most) {
    unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
    bool alike = x == y || (fold && tolower(x) == tolower(y));
    i++;
    if (!x || !y || !alike) break;
  }
  reads(a, i, pc);
  reads(b, i, pc);
}

EXPORT int strcmp(const char *a, const char *b) {
  if (WATCHED) compares(a, b, SIZE_MAX, false, RT_CALLER);
  return REAL_OF(strcmp)(a, b);
}

EXPORT int strncmp(const char *a, const char *b, size_t most) {
  if (WATCHED) compares(a, b, most, false, RT_CALLER);
  return REAL_OF(strncmp)(a, b, most);
}

EXPORT int strcasecmp(const char *a, const char *b) {
  if (WATCHED) compares(a, b, SIZE_MAX, true, RT_CALLER);
  return REAL_OF(strcasecmp)(a, b);
}

EXPORT int strncasecmp(const char *a, const char *b, size_t most) {
  if (WATCHED) compares(a, b, most, true, RT_CALLER);
  return REAL_OF(strncasecmp)(a, b, most);
}

EXPORT char *strchr(const char *s, int c) {
  char *at = REAL_OF(strchr)(s, c);
  if (WATCHED) reads(s, at ? (size_t)(at - s) + 1 : REAL_OF(strlen)(s) + 1, RT_CALLER);
  return at;
}

EXPORT char *strrchr(const char *s, int c) {
  if (WATCHED) reads_string(s, RT_CALLER);
  return REAL_OF(strrchr)(s, c);
}

EXPORT char *strstr(const char *s, const char *part) {
  char *at = REAL_OF(strstr)(s, part);
  if (WATCHED) {
    size_t length = REAL_OF(strlen)(part); /* nothing behind the part need be looked at */
    reads(s, at ? (size_t)(at - s) + length : REAL_OF(strlen)(s) + 1, RT_CALLER);
    reads(part, length + 1, RT_CALLER);
  }
  return at;
}

EXPORT char *strdup(const char *s) {
  if (WATCHED) reads_string(s, RT_CALLER);
  return REAL_OF(strdup)(s);
}

EXPORT char *strndup(const char *s, size_t most) {
  if (WATCHED) reads(s, length_within(s, most), RT_CALLER);
  return REAL_OF(strndup)(s, most);
}
