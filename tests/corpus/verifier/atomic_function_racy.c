// race: unsafe lines 6 — the same update in a function with an ordinary name
#include <pthread.h>

static int value;

static void atomic_add(int n) { value += n; }

static void *bump(void *arg) {
  atomic_add(2);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 4;
}
