// race: safe — exactly one thread wins the exchange and writes
#include <pthread.h>
#include <stdatomic.h>

static atomic_int claimed;
static int winner;

static void *try(void *arg) {
  int expected = 0;
  if (atomic_compare_exchange_strong(&claimed, &expected, 1)) winner = *(int *)arg;
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
