// race: unsafe lines 10 17 — the thread is created through a pointer to pthread_create
#include <pthread.h>

typedef int (*Starter)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static Starter start = pthread_create;
static int value;

static void *work(void *arg) {
  value = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  start(&t, NULL, work, NULL);
  value = 2;
  pthread_join(t, NULL);
  return value == 0;
}
