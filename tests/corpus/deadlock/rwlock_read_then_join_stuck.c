// deadlock: unsafe — the main thread joins a writer while it still reads
#include <pthread.h>

static int value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_rwlock_rdlock(&lock);
  int seen = value;
  pthread_join(t, NULL);
  pthread_rwlock_unlock(&lock);
  return seen > 1;
}
