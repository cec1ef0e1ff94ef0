// race: unsafe lines 14 — a read-write lock refuses its writer also when there is a time limit
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *worker(void *argument) {
  pthread_rwlock_wrlock(&lock);
  struct timespec never = {0};
  int result = pthread_rwlock_timedwrlock(&lock, &never);
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
