// deadlock: unsafe — the main thread joins before it gives the permit that the thread needs
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void *work(void *arg) {
  sem_wait(&go);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&go, 0, 0);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  sem_post(&go);
  return 0;
}
