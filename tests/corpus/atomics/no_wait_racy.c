// race: unsafe lines 9 18 — the flag is read but its value decides nothing
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
  int flag = atomic_load(&ready);
  int got = data;
  pthread_join(t, NULL);
  return got + flag > 6;
}
