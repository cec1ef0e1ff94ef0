// race: unsafe lines 12 — the spin lock is released before the second of two writes
#include <pthread.h>

static int counter, rounds;
static pthread_spinlock_t spin;

static void *add(void *arg) {
  for (int i = 0; i < 4; i++) {
    pthread_spin_lock(&spin);
    counter += *(int *)arg;
    pthread_spin_unlock(&spin);
    rounds++;
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, NULL, add, &one);
  pthread_create(&b, NULL, add, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_spin_destroy(&spin);
  return counter - 12 + (rounds > 8);
}
