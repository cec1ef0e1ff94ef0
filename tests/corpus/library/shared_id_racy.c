// race: unsafe lines 9 — two threads store the ids of new threads in the same variable
#include <pthread.h>

static pthread_t last;

static void *leaf(void *arg) { return arg; }

static void *branch(void *arg) {
  pthread_create(&last, NULL, leaf, NULL);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, branch, NULL);
  pthread_create(&b, NULL, branch, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
