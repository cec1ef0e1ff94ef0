// race: unsafe lines 11 24; deadlock: safe — the main thread waits for one worker too few
#include <pthread.h>
#include <semaphore.h>

#define N 3
static int part[N];
static sem_t done;

static void *work(void *arg) {
  long i = (long)arg;
  part[i] = (int)i;
  sem_post(&done);
  return NULL;
}

int main(void) {
  sem_init(&done, 0, 0);
  for (long i = 0; i < N; i++) {
    pthread_t t;
    pthread_create(&t, NULL, work, (void *)i);
    pthread_detach(t);
  }
  for (int i = 1; i < N; i++) sem_wait(&done);
  return part[0] + part[1] + part[2] > 3;
}
