/* bad: data is written after ready. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, data;
static void *prod(void *p) {
  pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  data = 5;
  return 0;
}
static void *cons(void *p) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  data++;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, prod, 0); pthread_create(&b, 0, cons, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return data;
}
