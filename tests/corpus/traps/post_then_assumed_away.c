// race: safe; assert: unsafe — a post that happens before its thread's path is assumed away
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

void __VERIFIER_assume(int condition);

static sem_t ready;

static void *poster(void *unused) {
  sem_post(&ready);
  __VERIFIER_assume(0);
  return unused;
}

static void *waiter(void *unused) {
  sem_wait(&ready);
  assert(0);
  return unused;
}

int main(void) {
  pthread_t a, b;
  sem_init(&ready, 0, 0);
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, poster, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
