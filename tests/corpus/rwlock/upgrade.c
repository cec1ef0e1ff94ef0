// race: safe; deadlock: safe — read lock given up, write lock taken, the test made again
#include <pthread.h>

static int ready, value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int get(void) {
  pthread_rwlock_rdlock(&lock);
  if (ready) {
    int result = value;
    pthread_rwlock_unlock(&lock);
    return result;
  }
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  if (!ready) {
    value = 42;
    ready = 1;
  }
  int result = value;
  pthread_rwlock_unlock(&lock);
  return result;
}

static void *user(void *arg) {
  *(int *)arg = get();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x - y;
}
