/* qsort on equal keys (glibc's merge sort is stable), qsort_r, lfind, hash tables of
   search.h. */
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Item {
  int key, seq;
};

static int by_key(const void *a, const void *b) {
  return ((const struct Item *)a)->key - ((const struct Item *)b)->key;
}
static int scaled(const void *a, const void *b, void *arg) {
  return (*(const int *)a - *(const int *)b) * *(int *)arg;
}
static int same(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  struct Item v[24];
  for (int i = 0; i < 24; i++) v[i] = (struct Item){i * 7 % 4, i};
  qsort(v, 24, sizeof *v, by_key);
  for (int i = 0; i < 24; i++) printf("%d.%d ", v[i].key, v[i].seq);
  printf("\n");
  int n[6] = {3, 1, 4, 1, 5, 9}, sign = -1;
  qsort_r(n, 6, sizeof *n, scaled, &sign);
  for (int i = 0; i < 6; i++) printf("%d ", n[i]);
  size_t count = 6;
  int want = 4, none = 8;
  printf("%d %d\n", lfind(&want, n, &count, sizeof *n, same) != NULL,
         lfind(&none, n, &count, sizeof *n, same) == NULL);
  return 0;
}
