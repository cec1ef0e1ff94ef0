// race: safe — the thread looks at its id under a lock that its creator holds meanwhile
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_t mine = thread;
  pthread_mutex_unlock(&lock);
  return pthread_equal(mine, pthread_self()) ? unused : NULL;
}

int main(void) {
  pthread_mutex_lock(&lock);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_t copy = thread;
  pthread_mutex_unlock(&lock);
  pthread_join(copy, NULL);
  return 0;
}
