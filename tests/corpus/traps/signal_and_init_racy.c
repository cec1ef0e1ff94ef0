// race: unsafe lines 7 14 — a condition is made anew while a thread signals it
#include <pthread.h>
#include <semaphore.h>

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void *work(void *arg) {
  pthread_cond_signal(&cond);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  pthread_cond_init(&cond, NULL);
  return 0;
}
