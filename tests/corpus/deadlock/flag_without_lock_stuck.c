// deadlock: unsafe; race: safe — the flag changes between the waiter's test and its wait
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *signaller(void *arg) {
  atomic_store(&ready, 1);
  pthread_cond_signal(&cond);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, signaller, NULL);
  pthread_mutex_lock(&lock);
  while (!atomic_load(&ready)) pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
