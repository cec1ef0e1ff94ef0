// race: unsafe lines 6 — the standards let rand share its hidden state without a lock
#include <pthread.h>
#include <stdlib.h>

static void *roll(void *arg) {
  *(int *)arg = rand() % 6 + 1;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  srand(7);
  pthread_create(&a, NULL, roll, &x);
  pthread_create(&b, NULL, roll, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y > 12;
}
