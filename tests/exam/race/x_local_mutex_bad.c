/* bad: each thread has a mutex of its own on its stack. */
#include <pthread.h>
pthread_mutex_t g = PTHREAD_MUTEX_INITIALIZER; int x;
static void add(pthread_mutex_t *m) { pthread_mutex_lock(m); x++; pthread_mutex_unlock(m); }
static void *w(void *p) {
  pthread_mutex_t l; pthread_mutex_init(&l, 0);
  add(&l);
  return 0;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); pthread_join(b, 0); return x; }
