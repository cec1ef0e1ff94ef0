/* safe: 0 <= used <= 3 under the lock, for any number of producers and consumers. */
#include <pthread.h>
#include <assert.h>
#define CAP 3
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t nf = PTHREAD_COND_INITIALIZER, ne = PTHREAD_COND_INITIALIZER; int used;
static void *prod(void *p) {
  pthread_mutex_lock(&m);
  while (used == CAP) pthread_cond_wait(&nf, &m);
  used++;
  assert(used <= CAP);
  pthread_cond_broadcast(&ne);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *cons(void *p) {
  pthread_mutex_lock(&m);
  while (used == 0) pthread_cond_wait(&ne, &m);
  used--;
  assert(used >= 0);
  pthread_cond_broadcast(&nf);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, prod, 0); pthread_create(&t, 0, cons, 0); } }
