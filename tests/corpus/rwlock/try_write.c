// race: safe — the write happens only where trywrlock succeeded
#include <pthread.h>

static int value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *bump(void *arg) {
  if (pthread_rwlock_trywrlock(&lock) == 0) {
    value++;
    pthread_rwlock_unlock(&lock);
  }
  return arg;
}

static void *peek(void *arg) {
  if (pthread_rwlock_tryrdlock(&lock)) return NULL;
  *(int *)arg = value;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b, c;
  int seen = 0;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_create(&c, NULL, peek, &seen);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return seen > value;
}
