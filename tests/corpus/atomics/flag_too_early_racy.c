// race: unsafe lines 11 20 — the flag is raised before the data is complete
#include <pthread.h>
#include <stdatomic.h>

static int head, tail;
static atomic_int ready;

static void *giver(void *arg) {
  head = 5;
  atomic_store(&ready, 1);
  tail = 6;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  while (!atomic_load(&ready)) {}
  int got = head;
  got += tail;
  pthread_join(t, NULL);
  return got > 11;
}
