// race: unsafe lines 10 16 — one player does not look whose turn it is
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int ball;

static void *fair(void *arg) {
  while (atomic_load(&turn) != 0) {}
  ball++;
  atomic_store(&turn, 1);
  return arg;
}

static void *unfair(void *arg) {
  ball++;
  atomic_store(&turn, 0);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, fair, NULL);
  pthread_create(&b, NULL, unfair, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return ball > 2;
}
