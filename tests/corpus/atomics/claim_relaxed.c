// race: safe — even a relaxed exchange lets only one thread write, and nobody else reads
#include <pthread.h>
#include <stdatomic.h>

static atomic_int claimed;
static int winner;

static void *try(void *arg) {
  if (atomic_exchange_explicit(&claimed, 1, memory_order_relaxed) == 0)
    winner = *(int *)arg;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, try, &one);
  pthread_create(&b, NULL, try, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return winner == 0;
}
