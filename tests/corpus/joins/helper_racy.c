// race: unsafe lines 7 24 — the helper is given the wrong one of two threads to join
#include <pthread.h>

static int sum, other;

static void *add(void *arg) {
  sum += *(int *)arg;
  return NULL;
}

static void *nothing(void *arg) {
  other = *(int *)arg;
  return NULL;
}

static void finish(pthread_t t) { pthread_join(t, NULL); }

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, add, &one);
  pthread_create(&b, NULL, nothing, &two);
  finish(b);
  int seen = sum;
  finish(a);
  return seen + other > 3;
}
