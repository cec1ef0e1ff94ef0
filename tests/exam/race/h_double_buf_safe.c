/* safe: the buffers change hands by two semaphores. */
#include <pthread.h>
#include <semaphore.h>
int buf[2][4]; sem_t full, empty;
static void *wr(void *a) {
  for (int i = 0; i < 4; i++) {
    sem_wait(&empty);
    for (int k = 0; k < 4; k++) buf[i & 1][k] = i;
    sem_post(&full);
  }
  return 0;
}
static void *rd(void *a) {
  int s = 0;
  for (int i = 0; i < 4; i++) {
    sem_wait(&full);
    for (int k = 0; k < 4; k++) s += buf[i & 1][k];
    sem_post(&empty);
  }
  return (void *)(long)s;
}
int main(void) { pthread_t s, t; sem_init(&full, 0, 0); sem_init(&empty, 0, 2); pthread_create(&s, 0, wr, 0); pthread_create(&t, 0, rd, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
