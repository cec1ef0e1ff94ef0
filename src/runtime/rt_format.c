/* Text that is formatted, as accesses: the strings that printf and its sisters read, the
 * buffers that sprintf fills, the variables that sscanf sets.
 *
 * A format is walked through as the C standard describes it, to find the pointers among
 * the arguments. One that has more than that (positions, letters that are not known) is
 * followed up to there. How much sprintf writes, a first call without a buffer tells; what
 * sscanf sets is told for as many as it says, and in a replay before the call for all. */
#define __NO_INLINE__ 1 /* the functions themselves, not what headers make of them */
#include "runtime/rt_next.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default"), weak))

#define FUNCTIONS(X)                                                                     \
  X(int, vsnprintf, (char *, size_t, const char *, va_list))                             \
  X(int, vsprintf, (char *, const char *, va_list))                                      \
  X(int, vfprintf, (FILE *, const char *, va_list))                                      \
  X(int, __isoc99_vsscanf, (const char *, const char *, va_list))

RT_NEXT(FUNCTIONS)

/* ---- formats ------------------------------------------------------------------------ */

/* One conversion: "%-*.3ld" and such. */
typedef struct {
  const char *at; /* what comes next in the format */
  char letter;    /* 's', 'd'…; 0 at the end */
  int size;       /* of an integer; 16: a long double */
  bool stars[2];  /* width and precision are arguments */
  bool suppressed, allocates;
  long precision; /* or width, for sscanf; -1 for none */
} Conversion;

static bool is_one_of(char c, const char *set) {
  while (*set && *set != c) set++;
  return *set != 0;
}

static const char *read_number(const char *at, long *ret) {
  enum { LARGEST = 1 << 28 };
  *ret = 0;
  for (; *at >= '0' && *at <= '9'; at++)
    if (*ret < LARGEST) *ret = *ret * 10 + (*at - '0');
  return at;
}

static const char *read_length(const char *at, int *size) {
  *size = sizeof(int);
  for (; is_one_of(*at, "hljztqL"); at++)
    *size = *at == 'h' ? (*size == 2 ? 1 : 2) : *at == 'L' ? 16 : 8;
  return at;
}

/* The next one that takes an argument. */
static Conversion next_conversion(const char *at, bool scans) {
  Conversion c = {.precision = -1};
  for (;;) {
    while (*at && *at != '%') at++;
    if (*at && at[1] == '%') {
      at += 2;
      continue;
    }
    break;
  }
  if (!*at) return (Conversion){.at = at};
  at++;
  if (scans) {
    if (*at == '*') c.suppressed = true, at++;
    if (*at >= '0' && *at <= '9') at = read_number(at, &c.precision);
    if (*at == 'm') c.allocates = true, at++;
  } else {
    while (is_one_of(*at, "-+ #0'I")) at++;
    long width;
    if (*at == '*')
      c.stars[0] = true, at++;
    else
      at = read_number(at, &width);
    if (*at == '.' && at[1] == '*')
      c.stars[1] = true, at += 2;
    else if (*at == '.')
      at = read_number(at + 1, &c.precision);
  }
  at = read_length(at, &c.size);
  c.letter = *at;
  c.at = *at ? at + 1 : at;
  if (scans && c.letter == '[') {
    if (*c.at == '^') c.at++;
    if (*c.at == ']') c.at++;
    while (*c.at && *c.at != ']') c.at++;
    if (*c.at) c.at++;
  }
  return c;
}

/* ---- printing ----------------------------------------------------------------------- */

static void reads_text(const char *text, long most, uintptr_t pc) {
  size_t length = 0;
  while ((most < 0 || length < (size_t)most) && *(const volatile char *)(text + length))
    length++;
  if (most < 0 || length < (size_t)most) length++;
  rt_range((uintptr_t)text, length, 0, pc);
}

/* False when it sets variables, too (%n): then it cannot be asked twice. */
static bool prints(const char *format, va_list given, uintptr_t pc) {
  va_list rest;
  va_copy(rest, given);
  bool harmless = true;
  for (Conversion c = next_conversion(format, false); c.letter;
       c = next_conversion(c.at, false)) {
    if (c.stars[0]) (void)va_arg(rest, int);
    if (c.stars[1]) c.precision = va_arg(rest, int);
    if (is_one_of(c.letter, "diouxXc")) {
      if (c.size == 8)
        (void)va_arg(rest, long);
      else
        (void)va_arg(rest, int);
    } else if (is_one_of(c.letter, "eEfFgGaA")) {
      if (c.size == 16)
        (void)va_arg(rest, long double);
      else
        (void)va_arg(rest, double);
    } else if (is_one_of(c.letter, "spn")) {
      const char *pointer = va_arg(rest, const char *);
      if (c.letter == 's' && c.size != 8 && pointer) reads_text(pointer, c.precision, pc);
      harmless &= c.letter != 'n';
    } else if (c.letter != 'm') {
      harmless = false;
      break;
    }
  }
  va_end(rest);
  return harmless;
}

/* `size` is SIZE_MAX for a buffer that is large enough. */
static void fills(char *buffer, size_t size, const char *format, va_list given,
                  uintptr_t pc) {
  size_t written = 1;
  if (prints(format, given, pc)) {
    va_list rest;
    int saved = errno;
    va_copy(rest, given);
    int length = REAL_OF(vsnprintf)(NULL, 0, format, rest);
    va_end(rest);
    errno = saved;
    if (length > 0) written += (size_t)length;
  }
  if (written > size) written = size;
  if (written) rt_range((uintptr_t)buffer, written, TRACE_WRITE, pc);
}

EXPORT int vsnprintf(char *restrict buffer, size_t size, const char *restrict format,
                     va_list rest) {
  if (WATCHED) fills(buffer, size, format, rest, RT_CALLER);
  return REAL_OF(vsnprintf)(buffer, size, format, rest);
}

EXPORT int vsprintf(char *restrict buffer, const char *restrict format, va_list rest) {
  if (WATCHED) fills(buffer, SIZE_MAX, format, rest, RT_CALLER);
  return REAL_OF(vsprintf)(buffer, format, rest);
}

EXPORT int vfprintf(FILE *restrict file, const char *restrict format, va_list rest) {
  if (WATCHED) prints(format, rest, RT_CALLER);
  return REAL_OF(vfprintf)(file, format, rest);
}

EXPORT int vprintf(const char *restrict format, va_list rest) {
  if (WATCHED) prints(format, rest, RT_CALLER);
  return REAL_OF(vfprintf)(stdout, format, rest);
}

/* A function with further arguments: `tell` is what is done when somebody watches, `call`
 * gives its result. */
#define VARIADIC(last, tell, call)                                                       \
  va_list rest;                                                                          \
  va_start(rest, last);                                                                  \
  if (WATCHED) tell;                                                                     \
  int result = call;                                                                     \
  va_end(rest);                                                                          \
  return result;

EXPORT int snprintf(char *restrict buffer, size_t size, const char *restrict format,
                    ...){VARIADIC(format, fills(buffer, size, format, rest, RT_CALLER),
                                  REAL_OF(vsnprintf)(buffer, size, format, rest))}

EXPORT int sprintf(char *restrict buffer, const char *restrict format,
                   ...){VARIADIC(format, fills(buffer, SIZE_MAX, format, rest, RT_CALLER),
                                 REAL_OF(vsprintf)(buffer, format, rest))}

EXPORT int fprintf(FILE *restrict file, const char *restrict format,
                   ...){VARIADIC(format, prints(format, rest, RT_CALLER),
                                 REAL_OF(vfprintf)(file, format, rest))}

EXPORT int printf(const char *restrict format, ...) {
  VARIADIC(format, prints(format, rest, RT_CALLER),
           REAL_OF(vfprintf)(stdout, format, rest))
}

/* ---- scanning ----------------------------------------------------------------------- */

/* The first `count` variables are set; what a text takes is known when it is there. */
static void sets(const char *format, va_list given, int count, bool done, uintptr_t pc) {
  va_list rest;
  va_copy(rest, given);
  for (Conversion c = next_conversion(format, true); c.letter && count > 0;
       c = next_conversion(c.at, true)) {
    if (c.suppressed) continue;
    bool text = is_one_of(c.letter, "s[");
    if (!text && !is_one_of(c.letter, "diouxXcneEfFgGaAp")) break;
    const char *to = va_arg(rest, const char *);
    size_t size = (size_t)c.size;
    if (c.allocates || c.letter == 'p')
      size = sizeof(void *);
    else if (text)
      size = done && c.size != 8 ? rt_length(to) + 1 : 1;
    else if (c.letter == 'c')
      size = c.precision > 0 ? (size_t)c.precision : 1;
    rt_range((uintptr_t)to, size, TRACE_WRITE, pc);
    if (c.letter != 'n') count--;
  }
  va_end(rest);
}

static int scan(const char *text, const char *format, va_list rest, uintptr_t pc) {
  bool watched = WATCHED, replayed = watched && rt_mode == CONTROL_REPLAY;
  va_list again;
  va_copy(again, rest);
  if (watched) rt_range((uintptr_t)text, rt_length(text) + 1, 0, pc);
  if (replayed) sets(format, again, INT32_MAX, false, pc);
  int count = REAL_OF(__isoc99_vsscanf)(text, format, rest);
  if (watched && !replayed) sets(format, again, count, true, pc);
  va_end(again);
  return count;
}

int __isoc99_sscanf(const char *text, const char *format, ...);
int __isoc99_vsscanf(const char *text, const char *format, va_list rest);
EXPORT int __isoc99_vsscanf(const char *text, const char *format, va_list rest) {
  return scan(text, format, rest, RT_CALLER);
}
EXPORT int __isoc99_sscanf(const char *text, const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  int count = scan(text, format, rest, RT_CALLER);
  va_end(rest);
  return count;
}
