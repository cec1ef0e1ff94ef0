/* Pointers: arithmetic, differences, comparison, to arrays, through integers, tagged, an
   xor list. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct Xor {
  int v;
  uintptr_t link;
};

struct Outer {
  long head;
  struct Inner {
    char c;
    short s[3];
  } in[2];
};
#define CONTAINER(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

static int walk(struct Xor *from) {
  uintptr_t prev = 0;
  int n = 0;
  while (from) {
    n = n * 10 + from->v;
    uintptr_t next = from->link ^ prev;
    prev = (uintptr_t)from;
    from = (struct Xor *)next;
  }
  return n;
}

int main(void) {
  int a[10];
  for (int *p = a; p != a + 10; p++) *p = (int)(p - a) * 3;
  int *mid = a + 5, *q = &a[9];
  printf("%td %td %d %d %d\n", q - mid, mid - q, mid < q, mid[-2], *(q - 1));
  printf("%d ", *mid++);
  printf("%d ", *mid);
  printf("%d\n", *--mid);
  int(*whole)[10] = &a;
  printf("%d %zu %td\n", (*whole)[4], sizeof *whole, (char *)(whole + 1) - (char *)whole);
  int m[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  int(*row)[4] = m + 1;
  printf("%d %d %d\n", row[1][2], *row[-1], (*row)[3]);
  int *pp[3] = {m[2], m[0], m[1]}, **ppp = pp;
  printf("%d %d\n", ppp[0][1], *(*(ppp + 2) + 3));

  struct Outer o = {7, {{'a', {1, 2, 3}}, {'b', {4, 5, 6}}}};
  short *s = &o.in[1].s[2];
  struct Inner *in = CONTAINER(s, struct Inner, s[2]);
  struct Outer *out = CONTAINER(in, struct Outer, in[1]);
  printf("%c %ld %d\n", in->c, out->head, out == &o);
  printf("%d %d\n", (void *)&o == (void *)&o.head,
         (char *)s - (char *)&o == offsetof(struct Outer, in[1].s[2]));

  uintptr_t n = (uintptr_t)(a + 3);
  printf("%d %d\n", *(int *)n, *(int *)(n + sizeof(int)));
  uintptr_t tagged = (uintptr_t)&a[6] | 1;
  printf("%d %d\n", (int)(tagged & 1), *(int *)(tagged & ~(uintptr_t)1));
  printf("%d\n", (int)(((uintptr_t)&a[7] - (uintptr_t)&a[2]) / sizeof *a));
  int *align = (int *)(((uintptr_t)a + 3) & ~(uintptr_t)3);
  printf("%d\n", align == a);

  struct Xor x[5];
  for (int i = 0; i < 5; i++) {
    x[i].v = i + 1;
    x[i].link = (i ? (uintptr_t)&x[i - 1] : 0) ^ (i < 4 ? (uintptr_t)&x[i + 1] : 0);
  }
  printf("%d %d\n", walk(&x[0]), walk(&x[4]));
  int *null = NULL;
  printf("%d %d %d\n", null == 0, !null, (uintptr_t)null == 0);
  const volatile int cv = 5;
  const volatile int *pcv = &cv;
  printf("%d\n", *pcv + *pcv);
  void *v = &m;
  printf("%d %d\n", ((int *)v)[7], *((char *)v + 4));
  char *end = (char *)(a + 10);
  printf("%d\n", (int)(end - (char *)a));
  return 0;
}
