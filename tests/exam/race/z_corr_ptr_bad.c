/* bad: the locks are the wrong way round in one kind of thread. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER; int a, b;
static void add(int *v, pthread_mutex_t *m) { pthread_mutex_lock(m); ++*v; pthread_mutex_unlock(m); }
static void *w(void *p) { int k = __VERIFIER_nondet_int(); add(k ? &a : &b, k ? &ma : &mb); return 0; }
static void *z(void *p) { int k = __VERIFIER_nondet_int();
  add(k > 7 ? &a : &b, k > 8 ? &ma : &mb);
  return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, z, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
