// race: unsafe lines 8 26; deadlock: safe — a handler that was registered under a lock runs without it
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(void *count) {
  ++*(int *)count;
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(note, &value);
  pthread_mutex_unlock(&lock);
  pthread_testcancel();
  pthread_cleanup_pop(0);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_cancel(t);
  pthread_mutex_lock(&lock);
  /* the thread may be in its handler, which has no lock any more */
  value++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
