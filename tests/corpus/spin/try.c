// race: safe; deadlock: safe — spin_trylock in a loop that gives up after some rounds
#include <pthread.h>
#include <sched.h>

static int shared_sum;
static pthread_spinlock_t spin;

static void *add(void *arg) {
  int tries = 0;
  while (pthread_spin_trylock(&spin) != 0) {
    if (++tries == 50) return NULL;
    sched_yield();
  }
  shared_sum += *(int *)arg;
  pthread_spin_unlock(&spin);
  return arg;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, NULL, add, &one);
  pthread_create(&b, NULL, add, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared_sum > 3;
}
