// race: unsafe lines 9 24 — two threads get one element where the loop does not count
#include <pthread.h>
#include <stdlib.h>

static int slot[2];

static void *work(void *arg) {
  int *mine = arg;
  *mine += 1;
  return arg;
}

int main(void) {
  pthread_t t[2];
  int i = 0;
  while (i < 2) {
    pthread_create(&t[i], NULL, work, &slot[i]);
    if (rand() & 1)
      i++;
  }
  for (i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  /* some threads may still run: their ids are lost */
  return slot[0];
}
