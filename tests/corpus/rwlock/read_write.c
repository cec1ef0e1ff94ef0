// race: safe; deadlock: safe — readers share a read-write lock, the writer holds it alone
#include <pthread.h>

static int low = 1, high = 2;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  int gap = high - low;
  pthread_rwlock_unlock(&lock);
  *(int *)arg = gap;
  return NULL;
}

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  low += 10;
  high += 10;
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t r1, r2, w;
  int x, y;
  pthread_create(&r1, NULL, reader, &x);
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r2, NULL, reader, &y);
  pthread_join(r1, NULL);
  pthread_join(r2, NULL);
  pthread_join(w, NULL);
  return x - y;
}
