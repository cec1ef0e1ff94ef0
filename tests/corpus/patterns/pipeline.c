// race: safe; deadlock: safe — three stages pass one cell on, each waits for its turn
#include <pthread.h>
#include <semaphore.h>

static int cell;
static sem_t turn[3];

static void *stage(void *arg) {
  long i = (long)arg;
  for (int round = 0; round < 2; round++) {
    sem_wait(&turn[i]);
    cell = cell * 2 + (int)i;
    sem_post(&turn[(i + 1) % 3]);
  }
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) sem_init(&turn[i], 0, i == 0);
  for (long i = 0; i < 3; i++) pthread_create(&t[i], NULL, stage, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return cell - 36;
}
