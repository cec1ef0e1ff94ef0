/* va_list as a value: va_copy, handed to other functions, by pointer, to vprintf and
   vsnprintf. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *format(const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  char *s = malloc((size_t)n + 1);
  vsnprintf(s, (size_t)n + 1, fmt, again);
  va_end(again);
  return s;
}

static void say(const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  fputs("say: ", stdout);
  vprintf(fmt, ap);
  va_end(ap);
}

static int next(va_list *ap) {
  return va_arg(*ap, int);
}

static int total(int n, va_list ap) {
  int s = 0;
  while (n--) s += va_arg(ap, int);
  return s;
}

static void halves(int n, ...) {
  va_list ap;
  va_start(ap, n);
  int first = next(&ap), second = next(&ap);
  va_list rest;
  va_copy(rest, ap);
  int all = total(n - 2, ap);
  va_end(ap);
  int third = next(&rest);
  printf("%d %d %d | %d\n", first, second, third, all);
  va_end(rest);
}

static int depth(int level, va_list ap) {
  int here = va_arg(ap, int);
  if (here == 0) return level;
  va_list copy;
  va_copy(copy, ap);
  int d = depth(level + 1, copy);
  va_end(copy);
  return d + here;
}
static int nested(int dummy, ...) {
  va_list ap;
  va_start(ap, dummy);
  int d = depth(0, ap);
  va_end(ap);
  return d;
}

static int twice(const char *fmt, ...) {
  va_list ap;
  int n = 0;
  for (int i = 0; i < 2; i++) {
    va_start(ap, fmt);
    n += vfprintf(stdout, fmt, ap);
    va_end(ap);
  }
  return n;
}

int main(void) {
  char *s = format("%s has %d threads, %5.2f%% busy, id %08lx, %c%c", "loom", 12, 99.5,
                   0xbeefUL, 'o', 'k');
  printf("[%s] %zu\n", s, strlen(s));
  free(s);
  say("%d %s %g\n", 1, "two", 3.0);
  say("%ld %ld %ld %ld %ld %ld %ld %g %g\n", 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8.5, 9.5);
  halves(6, 1, 2, 3, 4, 5, 6);
  printf("%d\n", nested(0, 5, 6, 7, 8, 9, 10, 11, 0));
  int n = twice("<%s:%d:%.1f>\n", "again", 4, 2.25);
  printf("%d\n", n);
  char small[6];
  int need = snprintf(small, sizeof small, "%d-%d", 12345, 678);
  printf("%s %d\n", small, need);
  return 0;
}
