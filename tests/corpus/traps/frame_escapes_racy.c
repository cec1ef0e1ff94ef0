// race: unsafe lines 12 21 — a thread publishes the address of its own local variable
#include <pthread.h>

static int *window;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *owner(void *arg) {
  int local = 0;
  pthread_mutex_lock(&lock);
  window = &local;
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 3; i++) local++;
  pthread_mutex_lock(&lock);
  window = NULL;
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *visitor(void *arg) {
  pthread_mutex_lock(&lock);
  if (window) *window = 100;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, owner, NULL);
  pthread_create(&b, NULL, visitor, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return window != NULL;
}
