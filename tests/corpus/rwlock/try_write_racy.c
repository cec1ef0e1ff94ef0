// race: unsafe lines 9 16 — where tryrdlock fails the value is read all the same
#include <pthread.h>

static int value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *bump(void *arg) {
  pthread_rwlock_wrlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *peek(void *arg) {
  int held = pthread_rwlock_tryrdlock(&lock) == 0;
  *(int *)arg = value;
  if (held) pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int seen = 0;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, peek, &seen);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return seen > value;
}
