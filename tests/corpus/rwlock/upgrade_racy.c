// race: unsafe lines 9 10 11 13 — the value is made while only the read lock is held
#include <pthread.h>

static int ready, value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int get(void) {
  pthread_rwlock_rdlock(&lock);
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
