// deadlock: unsafe — the cycle goes over a mutex and a read-write lock
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&table);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_unlock(&table);
  return arg;
}

static void *writer(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_rwlock_wrlock(&table);
  pthread_rwlock_unlock(&table);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, reader, NULL);
  pthread_create(&u, NULL, writer, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
