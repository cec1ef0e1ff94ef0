// deadlock: unsafe; race: safe — the clean-up handler of a cancelled thread keeps its mutex
#include <pthread.h>

static int ready, cleaned;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void note(void *count) { ++*(int *)count; }

static void *waiter(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(note, &cleaned);
  while (!ready) pthread_cond_wait(&cond, &lock);
  pthread_cleanup_pop(0);
  pthread_mutex_unlock(&lock);
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
