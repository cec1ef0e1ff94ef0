// race: unsafe lines 7 14 — a barrier is made anew while a thread comes to it
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t barrier;
static void *work(void *arg) {
  pthread_barrier_wait(&barrier);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_barrier_init(&barrier, NULL, 1); pthread_create(&a, NULL, work, NULL);
  pthread_barrier_init(&barrier, NULL, 1);
  return 0;
}
