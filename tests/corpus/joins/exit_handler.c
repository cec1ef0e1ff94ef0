// race: safe; deadlock: safe — pthread_exit runs the clean-up handler, which unlocks
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *m) { pthread_mutex_unlock(m); }

static void leave(void) { pthread_exit(NULL); }

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  value++;
  leave();
  pthread_cleanup_pop(1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
