/* Calls of every kind: through pointers, with structures and variable arguments, inside of each other,
 * of themselves; memory of one activation that others are given. */
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

typedef struct {
  int from, to;
} Range;

static int total, rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int mine;
static _Thread_local int seen[3];

static int width(Range r) {
  return r.to - r.from;
}

static void set(Range *r, int from, int to) {
  r->from = from;
  r->to = to;
}

static void widen(Range *r, int by) {
  Range *same = r;
  set(same, r->from - by, r->to + by);
}

static int sum(int n, ...) {
  va_list list;
  int result = 0;
  va_start(list, n);
  for (int i = 0; i < n; i++) result += va_arg(list, int);
  va_end(list);
  return result;
}

static int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static void add(int *to, int n, pthread_mutex_t *m) {
  if (m) pthread_mutex_lock(m);
  *to += n;
  if (m) pthread_mutex_unlock(m);
}

static int twice(int n) {
  return 2 * n;
}
static int thrice(int n) {
  return 3 * n;
}

static int apply(int (*f)(int), int n) {
  return f(n);
}

static void *work(void *arg) {
  int (*table[2])(int) = {twice, thrice};
  Range r, other;
  int own = 0;
  set(&r, 1, 4);
  memset(&other, 0, sizeof other);
  for (int i = 0; i < 2; i++) {
    widen(&r, i);
    own += width(r) + apply(table[i], i);
    add(&own, sum(2, i, 3), NULL);
  }
  mine = own + fib(4) + other.to;
  seen[1] = mine;
  add(&total, mine + seen[1], &lock);
  add(&rounds, 1, &lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  work(NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return rounds - 3;
}
