// race: safe — plain operators on an _Atomic variable are sequentially consistent
#include <pthread.h>
#include <sched.h>

static int data;
static _Atomic int ready;

static void *giver(void *arg) {
  data = 5;
  ready = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  while (ready == 0) sched_yield();
  int got = data;
  pthread_join(t, NULL);
  return got - 5;
}
