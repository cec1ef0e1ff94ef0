// deadlock: safe — both sides hold the read-write lock for reading only
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

static void *other(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_rwlock_rdlock(&table);
  pthread_rwlock_unlock(&table);
  pthread_mutex_unlock(&mutex);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, reader, NULL);
  pthread_create(&u, NULL, other, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
