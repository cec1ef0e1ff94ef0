// race: unsafe lines 10 — on one path the lock is held for writing, on the other only for reading
#include <pthread.h>

static int value;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *arg) {
  if (*(int *)arg) pthread_rwlock_wrlock(&lock);
  else pthread_rwlock_rdlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0;
  pthread_create(&a, NULL, work, &zero);
  pthread_create(&b, NULL, work, &zero);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
