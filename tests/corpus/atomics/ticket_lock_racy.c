// race: unsafe lines 12 — the number is drawn with a load and a store, so two threads share one
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int value;

static void *bump(void *arg) {
  unsigned mine = atomic_load(&next_ticket);
  atomic_store(&next_ticket, mine + 1);
  while (atomic_load(&now_serving) < mine) {}
  value++;
  atomic_store(&now_serving, mine + 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
