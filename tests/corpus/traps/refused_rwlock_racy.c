// race: unsafe lines 12 — a read-write lock refuses its writer; unlocked once, it is free
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *worker(void *argument) {
  pthread_rwlock_wrlock(&lock);
  int result = pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  if (result == EDEADLK) data++;
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
