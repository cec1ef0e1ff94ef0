// race: unsafe lines 12 — both threads allocate a lock at the same place: two locks
#include <pthread.h>
#include <stdlib.h>

static int value;

static void *bump(void *arg) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (!lock) return NULL;
  pthread_mutex_init(lock, NULL);
  pthread_mutex_lock(lock);
  value++;
  pthread_mutex_unlock(lock);
  pthread_mutex_destroy(lock);
  free(lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
