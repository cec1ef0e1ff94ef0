// race: safe — a spin lock made of compare and exchange
#include <pthread.h>
#include <stdatomic.h>

static int owner;
static int value;

static void acquire(int me) {
  int free_now = 0;
  while (!__atomic_compare_exchange_n(&owner, &free_now, me, 1, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED))
    free_now = 0;
}

static void release(void) { __atomic_store_n(&owner, 0, __ATOMIC_RELEASE); }

static void *bump(void *arg) {
  acquire(*(int *)arg);
  value++;
  release();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, bump, &one);
  pthread_create(&b, NULL, bump, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 2;
}
