// race: safe — a sequentially consistent flag publishes the data
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *giver(void *arg) {
  data = 5;
  atomic_store(&ready, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  while (!atomic_load(&ready)) {}
  int got = data;
  pthread_join(t, NULL);
  return got - 5;
}
