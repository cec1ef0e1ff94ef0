// race: unsafe lines 7 — the multiple of the counter is cut to 32 bits, and 0 for all threads
#include <pthread.h>

static int slots[8];

static void *worker(void *slot) {
  ++*(int *)slot;
  return NULL;
}

int main(void) {
  pthread_t ids[4];
  for (unsigned i = 0; i < 4; i++)
    pthread_create(&ids[i], NULL, worker, &slots[(i * 2) << 31]);
  for (int i = 0; i < 4; i++) pthread_join(ids[i], NULL);
  return slots[0] == 0;
}
