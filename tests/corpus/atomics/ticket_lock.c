// race: safe — a ticket lock: take a number, wait until it is served
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int value;

static void *bump(void *arg) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load(&now_serving) != mine) {}
  value++;
  atomic_store(&now_serving, mine + 1);
  return arg;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, bump, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return value - 3;
}
