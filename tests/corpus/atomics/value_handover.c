// race: safe — the value of an atomic variable says whose turn it is
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int ball;

static void *play(void *arg) {
  int me = *(int *)arg;
  for (int i = 0; i < 2; i++) {
    while (atomic_load(&turn) != me) {}
    ball++;
    atomic_store(&turn, 1 - me);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, play, &zero);
  pthread_create(&b, NULL, play, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return ball - 4;
}
