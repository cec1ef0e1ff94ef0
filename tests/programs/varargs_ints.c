/* Variable arguments: integers of every promoted type, pointers, far more than six of
   them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static long sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long s = 0;
  while (n--) s = s * 3 + va_arg(ap, int);
  va_end(ap);
  return s;
}

static long late(int a, long b, short c, char *d, int e, int f, long g, int n, ...) {
  va_list ap;
  va_start(ap, n);
  long s = a + b + c + (long)strlen(d) + e + f + g;
  for (int i = 0; i < n; i++) s += va_arg(ap, long) * (i + 1);
  va_end(ap);
  return s;
}

static void typed(const char *types, ...) {
  va_list ap;
  va_start(ap, types);
  for (; *types; types++) switch (*types) {
    case 'i': printf("%d ", va_arg(ap, int)); break;
    case 'u': printf("%u ", va_arg(ap, unsigned)); break;
    case 'l': printf("%ld ", va_arg(ap, long)); break;
    case 'q': printf("%llx ", va_arg(ap, unsigned long long)); break;
    case 's': printf("<%s> ", va_arg(ap, const char *)); break;
    case 'p': printf("%d ", *va_arg(ap, int *)); break;
    case 'c': printf("%c ", va_arg(ap, int)); break;
    case 'f': va_arg(ap, void (*)(void))(); break;
    case 'w': {
      __int128 w = va_arg(ap, __int128);
      printf("%llx:%llx ", (unsigned long long)(w >> 64), (unsigned long long)w);
    }
    }
  printf("\n");
  va_end(ap);
}

static void hello(void) {
  printf("hello ");
}

static const char *join(char *out, ...) {
  va_list ap;
  va_start(ap, out);
  *out = 0;
  for (const char *s; (s = va_arg(ap, const char *));) strcat(out, s);
  va_end(ap);
  return out;
}

int main(void) {
  printf("%ld\n", sum(0));
  printf("%ld\n", sum(3, 1, 2, 3));
  printf("%ld\n", sum(12, 1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 11, -12));
  printf("%ld\n", late(1, 2, 3, "four", 5, 6, 7, 4, 10L, 20L, -30L, 1L << 40));
  char c = 'x';
  short s = -3;
  unsigned char u = 200;
  _Bool b = 1;
  int cell = 77;
  typed("ciii", c, s, u, b);
  typed("ulqspfc", 4000000000u, -5L, 0x123456789abcdefULL, "text", &cell, hello, '!');
  typed("iwwi", 1, (__int128)1 << 100, -(__int128)5, 3);
  typed("iiiiiwii", 1, 2, 3, 4, 5, (__int128)6 << 64 | 7, 8, 9);
  char buf[64];
  printf("%s\n", join(buf, "war", "p ", "and ", "we", "ft", (char *)0));
  return 0;
}
