// race: unsafe lines 10 — a robust mutex that nobody repaired is lost: who locks it does not hold it
#include <pthread.h>

static pthread_mutex_t lock;
static int shared;

static void *adds(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  shared++;
  pthread_mutex_unlock(&lock);
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
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock); /* it is lost from here on */
  pthread_create(&second, NULL, adds, NULL);
  pthread_create(&third, NULL, adds, NULL);
  pthread_join(second, NULL);
  pthread_join(third, NULL);
  return 0;
}
