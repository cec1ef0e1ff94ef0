/* memcpy, memmove with overlap both ways, memset, memcmp, memchr, and pointers copied
   byte by byte. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct S {
  int a;
  int *p;
  char text[8];
};

static void by_bytes(void *to, const void *from, size_t n) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = n; i-- > 0;) t[i] = f[i];
}

static void swap(void *a, void *b, size_t n) {
  char *x = a, *y = b;
  while (n--) {
    char t = *x;
    *x++ = *y;
    *y++ = t;
  }
}

int main(void) {
  char buf[32] = "0123456789abcdef";
  memmove(buf + 2, buf, 10);
  printf("%s\n", buf);
  memmove(buf, buf + 4, 8);
  printf("%s\n", buf);
  memmove(buf + 1, buf + 1, 5);
  memcpy(buf + 20, buf, 5);
  printf("%.5s\n", buf + 20);
  memset(buf + 3, '-', 4);
  printf("%s\n", buf);
  printf("%d %d %d\n", memcmp("abc", "abd", 2), memcmp("a\0b", "a\0c", 3) < 0,
         memcmp("\x80", "\x7f", 1) > 0);
  printf("%d\n", memchr("hello", 'z', 5) == NULL);
  const char *h = "hello world";
  printf("%td %td\n", (const char *)memchr(h, 'o', 11) - h,
         (const char *)memrchr(h, 'o', 11) - h);
  printf("%td\n", (const char *)memmem(h, 11, "wor", 3) - h);
  printf("%td\n", (char *)mempcpy(buf, "pq", 2) - buf);

  int x = 5, y = 6;
  struct S s = {1, &x, "warp"}, t = {2, &y, "weft"};
  by_bytes(&s, &t, sizeof s);
  *s.p += 10;
  printf("%d %d %s\n", y, s.a, s.text);
  int *p = &x, *q = &y;
  swap(&p, &q, sizeof p);
  *p = 100;
  *q = 200;
  printf("%d %d\n", x, y);
  unsigned char raw[sizeof(int *)];
  memcpy(raw, &p, sizeof raw);
  int *back;
  by_bytes(&back, raw, sizeof back);
  printf("%d %d\n", *back, back == p);
  uintptr_t n;
  memcpy(&n, &p, sizeof n);
  n += sizeof(int) * 0;
  printf("%d\n", *(int *)n);
  int arr[4] = {1, 2, 3, 4};
  uint64_t two;
  memcpy(&two, &arr[1], sizeof two);
  printf("%lx\n", (unsigned long)two);
  two = ~two;
  memcpy(arr, &two, sizeof two);
  printf("%d %d %d\n", arr[0], arr[1], arr[2]);
  double d;
  memset(&d, 0, sizeof d);
  printf("%g\n", d);
  __builtin_memset(arr, 1, sizeof arr);
  printf("%x\n", (unsigned)arr[3]);
  bzero(arr, 8);
  printf("%d %x\n", arr[1], (unsigned)arr[2]);
  return 0;
}
