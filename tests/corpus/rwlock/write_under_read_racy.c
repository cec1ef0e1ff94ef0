// race: unsafe lines 9; deadlock: safe — a counter is written while the lock is held for reading only
#include <pthread.h>

static int value = 7, lookups;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int look_up(void) {
  pthread_rwlock_rdlock(&lock);
  lookups++;
  int result = value;
  pthread_rwlock_unlock(&lock);
  return result;
}

static void *reader(void *arg) {
  *(int *)arg = look_up();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, reader, &x);
  pthread_create(&b, NULL, reader, &y);
  pthread_rwlock_wrlock(&lock);
  value = 8;
  pthread_rwlock_unlock(&lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return lookups > 2;
}
