// race: unsafe lines 9 10 11 12 13 — Peterson's algorithm with plain variables
#include <pthread.h>

static int wants[2], turn;
static int value;

static void *bump(void *arg) {
  int me = *(int *)arg, other = 1 - me;
  wants[me] = 1;
  turn = other;
  while (wants[other] && turn == other) {}
  value++;
  wants[me] = 0;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  pthread_create(&a, NULL, bump, &zero);
  pthread_create(&b, NULL, bump, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
