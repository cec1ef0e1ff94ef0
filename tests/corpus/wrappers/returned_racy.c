// race: unsafe lines 13 — the function returns a different mutex for each caller
#include <pthread.h>

static int value;
static pthread_mutex_t odd_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t even_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t *lock_for(int n) { return n % 2 ? &odd_lock : &even_lock; }

static void *bump(void *arg) {
  int n = *(int *)arg;
  pthread_mutex_lock(lock_for(n));
  value++;
  pthread_mutex_unlock(lock_for(n));
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, bump, &one);
  pthread_create(&b, NULL, bump, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
