// race: unsafe lines 11 — two threads store the results of their joins in the same place
#include <pthread.h>

static void *result;

static void *leaf(void *arg) { return arg; }

static void *branch(void *arg) {
  pthread_t t;
  pthread_create(&t, NULL, leaf, arg);
  pthread_join(t, &result);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 1, y = 2;
  pthread_create(&a, NULL, branch, &x);
  pthread_create(&b, NULL, branch, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return result != &x && result != &y;
}
