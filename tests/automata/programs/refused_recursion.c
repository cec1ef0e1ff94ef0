/* A function that calls itself and that others notice has no automaton. */
#include <pthread.h>

static int depth;

static void descend(int n) {
  depth++;
  if (n) descend(n - 1);
}

static void *work(void *arg) {
  descend(3);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  descend(2);
  pthread_join(a, NULL);
  return depth != 7;
}
