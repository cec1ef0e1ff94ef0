/* A merge sort whose halves run in threads, over one array split without overlap. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 128 };

struct Span {
  int *v, *scratch;
  int n, depth;
};

static void merge(int *v, int n, int *scratch) {
  int i = 0, j = n / 2, k = 0;
  while (i < n / 2 && j < n) scratch[k++] = v[i] <= v[j] ? v[i++] : v[j++];
  while (i < n / 2) scratch[k++] = v[i++];
  while (j < n) scratch[k++] = v[j++];
  memcpy(v, scratch, (size_t)n * sizeof *v);
}

static void *sort(void *arg) {
  struct Span *s = arg;
  if (s->n < 2) return NULL;
  int h = s->n / 2;
  struct Span l = {s->v, s->scratch, h, s->depth - 1};
  struct Span r = {s->v + h, s->scratch + h, s->n - h, s->depth - 1};
  if (s->depth > 0) {
    pthread_t t;
    pthread_create(&t, NULL, sort, &l);
    sort(&r);
    pthread_join(t, NULL);
  } else {
    sort(&l);
    sort(&r);
  }
  merge(s->v, s->n, s->scratch);
  return NULL;
}

int main(void) {
  int *v = malloc(N * sizeof *v), *scratch = malloc(N * sizeof *v);
  unsigned x = 12345;
  long before = 0, after = 0;
  for (int i = 0; i < N; i++) {
    v[i] = (int)((x = x * 1664525u + 1013904223u) >> 20);
    before += v[i];
  }
  struct Span all = {v, scratch, N, 3};
  sort(&all);
  int ok = 1;
  for (int i = 0; i < N; i++) {
    after += v[i];
    ok &= i == 0 || v[i - 1] <= v[i];
  }
  printf("%d %d %d %d %d\n", ok, before == after, v[0], v[N / 2], v[N - 1]);
  free(v);
  free(scratch);
  return 0;
}
