// race: safe — the mutex on the creator's stack is handed to both threads
#include <pthread.h>

static int value;

static void *bump(void *arg) {
  pthread_mutex_t *lock = arg;
  pthread_mutex_lock(lock);
  value++;
  pthread_mutex_unlock(lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_t lock;
  pthread_mutex_init(&lock, NULL);
  pthread_create(&a, NULL, bump, &lock);
  pthread_create(&b, NULL, bump, &lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_destroy(&lock);
  return value - 2;
}
