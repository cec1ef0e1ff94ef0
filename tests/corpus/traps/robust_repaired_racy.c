// race: unsafe lines 11 — a robust mutex that was repaired serves again, and what follows is not under it
#include <pthread.h>

static pthread_mutex_t lock;
static int shared;

static void *adds(void *unused) {
  (void)unused;
  if (pthread_mutex_lock(&lock) != 0) return NULL;
  pthread_mutex_unlock(&lock);
  shared++;
  return NULL;
}

static void *dies(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attribute;
  pthread_t first, second, third;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_setrobust(&attribute, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attribute);
  pthread_create(&first, NULL, dies, NULL);
  pthread_join(first, NULL);
  if (pthread_mutex_lock(&lock) != 0) pthread_mutex_consistent(&lock);
  pthread_mutex_unlock(&lock);
  pthread_create(&second, NULL, adds, NULL);
  pthread_create(&third, NULL, adds, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
