/* Functions that get functions: copies are made of them, and they must do the same. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef int Op(int, int);

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }

static int fold(const int *v, int n, int start, Op *op) {
  int acc[2] = {start, n};
  Op *copy = op;
  for (int i = 0; i < n; i++) acc[0] = copy(acc[0], v[i]);
  return acc[0] + 100 * acc[1];
}

/* swaps its functions at every level */
static int zigzag(int depth, Op *even, Op *odd) {
  if (depth == 0) return 1;
  return even(zigzag(depth - 1, odd, even), depth);
}

static int replaced(Op *op, int x) {
  int first = op(x, 1);
  op = op == add ? sub : add;
  return first * 1000 + op(x, 1);
}

static int optional(Op *op, int x) {
  Op *chosen;
  if (x > 2) chosen = op;
  else chosen = sub;
  return chosen ? chosen(x, 5) : -1;
}

static int variable_length(int n, Op *op) {
  int cells[n];
  for (int i = 0; i < n; i++) cells[i] = op(i, 7);
  int *heap = malloc((size_t)n * sizeof *heap);
  if (!heap) abort();
  for (int i = 0; i < n; i++) heap[i] = op(cells[i], cells[n - 1 - i]);
  int last = heap[n - 1];
  free(heap);
  return last;
}

static int remembered(Op *op) {
  static int calls;
  calls = op(calls, 3);
  return calls;
}

static int same(Op *a, Op *b) { return a == b ? a(1, 1) : b(1, 1); }

static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void sorted(int *v, size_t n, int (*compare)(const void *, const void *)) {
  qsort(v, n, sizeof *v, compare);
}

static int left, right;
static void go_left(void) { left = 4; }
static void go_right(void) { right = 5; }
static void *enter(void *real) {
  ((void (*)(void))real)();
  return real == (void *)go_left ? &left : &right;
}
static pthread_t start(void (*body)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, enter, (void *)body)) abort();
  return thread;
}

int main(void) {
  int v[] = {5, 3, 8, 1};
  printf("%d %d\n", fold(v, 4, 10, add), fold(v, 4, 10, sub));
  printf("%d %d\n", zigzag(5, add, sub), zigzag(5, sub, add));
  printf("%d %d\n", replaced(add, 9), replaced(sub, 9));
  printf("%d %d %d\n", optional(add, 9), optional(add, 1), optional(NULL, 9));
  printf("%d %d\n", variable_length(3, add), variable_length(4, sub));
  remembered(add);
  remembered(add);
  printf("%d %d\n", remembered(sub), remembered(add));
  printf("%d %d\n", same(add, add), same(add, sub));
  sorted(v, 4, by_size);
  printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]);
  void *a, *b;
  pthread_t s = start(go_left), t = start(go_right);
  pthread_join(s, &a);
  pthread_join(t, &b);
  printf("%d %d %d\n", *(int *)a, *(int *)b, a == b);
  return 0;
}
