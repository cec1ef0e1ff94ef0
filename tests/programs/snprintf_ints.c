/* printf of integers and characters: every length, flag, width and precision, stars. */
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const int v[] = {0, 1, -1, 42, -12345, INT_MAX, INT_MIN};
  for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
    printf("%d|%i|%u|%o|%x|%X|%c|\n", v[i], v[i], (unsigned)v[i], (unsigned)v[i],
           (unsigned)v[i], (unsigned)v[i], '!' + (v[i] & 15));
    printf("%8d|%-8d|%08d|%+d|% d|%.5d|%8.3d|%-8.3d|%+.0d|\n", v[i], v[i], v[i], v[i],
           v[i], v[i], v[i], v[i], v[i]);
    printf("%#x|%#o|%#X|%#010x|%-#10x|%.3x|\n", (unsigned)v[i], (unsigned)v[i],
           (unsigned)v[i], (unsigned)v[i], (unsigned)v[i], (unsigned)v[i]);
  }
  printf("%hhd %hhu %hd %hu\n", (char)-3, (unsigned char)253, (short)-3,
         (unsigned short)65533);
  printf("%ld %lu %lx %lld %llu\n", LONG_MIN, ULONG_MAX, 0xfeedfaceUL, LLONG_MIN,
         ULLONG_MAX);
  printf("%zu %zd %td %jd %ju\n", sizeof(int), (ptrdiff_t)-4, (ptrdiff_t)-5, (intmax_t)-6,
         (uintmax_t)7);
  printf("%" PRId8 " %" PRIu16 " %" PRIx32 " %" PRId64 " %" PRIu64 "\n", (int8_t)-1,
         (uint16_t)2, 3u, (int64_t)-4, (uint64_t)5);
  printf("[%*d] [%-*d] [%.*d] [%*.*d]\n", 6, 42, 6, 42, 4, 42, 8, 3, 42);
  printf("[%*d]\n", -6, 42);
  printf("[%.0d] [%.d] [%5.0d]\n", 0, 0, 0);
  printf("[%s] [%10s] [%-10s] [%.2s] [%10.2s] [%.*s]\n", "abc", "abc", "abc", "abc",
         "abc", 1, "abc");
  printf("[%c] [%5c] [%-5c] %%\n", 'x', 'y', 'z');
  printf("[%p] [%s]\n", NULL, (NULL != NULL) ? "" : "null ptr");

  char buf[20];
  memset(buf, '#', sizeof buf);
  int n = snprintf(buf, 8, "%d%s", 12345, "abcdef");
  printf("%d %s %c\n", n, buf, buf[8]);
  size_t tiny = 1;
  n = snprintf(buf, tiny, "xyz");
  printf("%d '%s'\n", n, buf);
  n = snprintf(NULL, 0, "%50d", 1);
  printf("%d\n", n);
  n = sprintf(buf, "%s-%s", "ab", "cd");
  printf("%d %s\n", n, buf);
  int at = 0;
  char long_[200];
  for (int i = 0; i < 12; i++)
    at += snprintf(long_ + at, sizeof long_ - (size_t)at, "%*d,", i + 1, i);
  printf("%s %d\n", long_, at);
  n = printf("%s\n", "counted");
  printf("%d\n", n);
  n = -1;
  printf("here%n it is\n", &n);
  printf("%d\n", n);
  return 0;
}
