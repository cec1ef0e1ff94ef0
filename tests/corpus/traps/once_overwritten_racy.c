// race: unsafe lines 7 14 — a once flag is overwritten while a thread asks it
#include <pthread.h>
#include <semaphore.h>

static pthread_once_t flag = PTHREAD_ONCE_INIT; static void nothing(void) {}
static void *work(void *arg) {
  pthread_once(&flag, nothing);
  return arg;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, work, NULL);
  flag = PTHREAD_ONCE_INIT;
  return 0;
}
