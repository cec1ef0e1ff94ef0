/* safe: crossing orders under a gate lock. */
#include <pthread.h>
pthread_mutex_t g = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void two(pthread_mutex_t *x, pthread_mutex_t *y) {
  pthread_mutex_lock(&g);
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(&g);
  pthread_mutex_unlock(y); pthread_mutex_unlock(x);
}
static void *p(void *v) { two(&a, &b); return 0; }
static void *q(void *v) { two(&b, &a); return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, p, 0); pthread_create(&t, 0, q, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
