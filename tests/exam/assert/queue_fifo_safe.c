/* safe: one producer, one consumer, a locked ring: the values come in order. */
#include <pthread.h>
#include <assert.h>
#define CAP 2
#define N 4
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int q[CAP], head, tail;
static int put(int v) {
  int ok = 0;
  pthread_mutex_lock(&m);
  if (tail - head < CAP) { q[tail % CAP] = v; tail++; ok = 1; }
  pthread_mutex_unlock(&m);
  return ok;
}
static int get(int *v) {
  int ok = 0;
  pthread_mutex_lock(&m);
  if (head < tail) { *v = q[head % CAP]; head++; ok = 1; }
  pthread_mutex_unlock(&m);
  return ok;
}
static void *prod(void *p) { for (int i = 0; i < N; i++) while (!put(i)) ; return 0; }
static void *cons(void *p) { int v = -1; for (int i = 0; i < N; i++) { while (!get(&v)) ; assert(v == i); } return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, prod, 0); pthread_create(&b, 0, cons, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
