// race: unsafe lines 8 16 — the creator goes on counting in the slot that it has handed over
#include <pthread.h>

static int slots[8];

static void *worker(void *argument) {
  int *slot = argument;
  slot[0]++;
  return NULL;
}

int main(void) {
  pthread_t ids[4];
  for (int i = 0; i < 4; i++) {
    pthread_create(&ids[i], NULL, worker, &slots[2 * i]);
    slots[i * 2L]++;
  }
  for (int i = 0; i < 4; i++) pthread_join(ids[i], NULL);
  return slots[6] == 0;
}
