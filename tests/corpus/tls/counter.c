// race: safe — every thread has its own copy of a thread-local variable
#include <pthread.h>

static _Thread_local int calls;

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
  return x + y + calls - 5;
}
