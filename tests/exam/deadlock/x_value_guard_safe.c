/* safe: the crossing orders exclude each other by mode, which is fixed before the threads start. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER; atomic_int mode;
static void *w(void *x) {
  if (atomic_load(&mode)) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); }
  else { pthread_mutex_lock(&b); pthread_mutex_lock(&a); }
  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  return 0;
}
int main(void) {
  pthread_t s, t;
  atomic_store(&mode, __VERIFIER_nondet_int() > 0);
  pthread_create(&s, 0, w, 0);
  pthread_create(&t, 0, w, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
