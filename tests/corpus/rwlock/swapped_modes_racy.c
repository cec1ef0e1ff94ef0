// race: unsafe lines 9 16 — writer and reader both hold the lock for reading
#include <pthread.h>

static int value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *writer(void *arg) {
  pthread_rwlock_rdlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  *(int *)arg = value;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t w, r;
  int seen = 0;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, &seen);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return seen > value;
}
