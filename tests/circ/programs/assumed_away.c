/* race: safe; assert: safe */
/* The thread does not come to its post. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

void __VERIFIER_assume(int condition);

static sem_t ready;

static void *poster(void *arg) {
  __VERIFIER_assume(0);
  sem_post(&ready);
  return arg;
}

int main(void) {
  pthread_t thread;
  sem_init(&ready, 0, 0);
  pthread_create(&thread, 0, poster, 0);
  sem_wait(&ready);
  assert(0);
  return 0;
}
