// deadlock: unsafe — a reader that reads again waits for a writer that waits for it
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t lock;
static int data;

static void *reader(void *argument) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  int seen = data;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return seen ? argument : NULL;
}

static void *writer(void *argument) {
  pthread_rwlock_wrlock(&lock);
  data = 1;
  pthread_rwlock_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t a, b;
  pthread_rwlockattr_t attribute;
  pthread_rwlockattr_init(&attribute);
  pthread_rwlockattr_setkind_np(&attribute, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &attribute);
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
