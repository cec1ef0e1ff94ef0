// deadlock: safe; race: safe — the joined thread is a reader as well
#include <pthread.h>

static int value = 3;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  *(int *)arg = value;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t;
  int seen = 0;
  pthread_create(&t, NULL, reader, &seen);
  pthread_rwlock_rdlock(&lock);
  pthread_join(t, NULL);
  seen += value;
  pthread_rwlock_unlock(&lock);
  return seen - 6;
}
