// deadlock: safe; race: safe — a clean-up handler unlocks the mutex of a cancelled thread
#include <pthread.h>

static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void unlock(void *m) { pthread_mutex_unlock(m); }

static void *waiter(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  while (!ready) pthread_cond_wait(&cond, &lock);
  pthread_cleanup_pop(1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
