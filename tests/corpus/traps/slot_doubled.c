// race: safe — each thread gets two elements of its own, which the creator sets first
#include <pthread.h>

static int slots[8];

static void *worker(void *argument) {
  int *slot = argument;
  slot[0]++;
  slot[1]++;
  return NULL;
}

int main(void) {
  pthread_t ids[4];
  for (int i = 0; i < 4; i++) {
    slots[2 * i] = i;
    pthread_create(&ids[i], NULL, worker, &slots[2 * i]);
  }
  for (int i = 0; i < 4; i++) pthread_join(ids[i], NULL);
  return slots[6] != 4;
}
