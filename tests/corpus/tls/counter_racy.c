// race: unsafe lines 6 11 — the same without thread-local storage
#include <pthread.h>

static int calls;

static void step(void) { calls++; }

static void *work(void *arg) {
  step();
  step();
  *(int *)arg = calls;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, work, &x);
  pthread_create(&b, NULL, work, &y);
  step();
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y < 2;
}
