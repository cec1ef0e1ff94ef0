// race: unsafe lines 10 32; deadlock: safe — a clean-up handler counts before it has the mutex
#include <pthread.h>

static int value, inner;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *m) { pthread_mutex_unlock(m); }

static void note(void *count) {
  ++*(int *)count;
}

static void *work(void *arg) {
  pthread_cleanup_push(note, &inner);
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  value++;
  pthread_testcancel();
  value++;
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(0);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_cancel(t);
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  inner++;
  pthread_join(t, NULL);
  return 0;
}
