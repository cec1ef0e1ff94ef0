/* bad: one more may be used. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int made, used;
static void *prod(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (made < 100) made++;
    pthread_mutex_unlock(&m);
  }
}
static void *cons(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    if (used <= made) used++;
    assert(used <= made);
    pthread_mutex_unlock(&m);
  }
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, 0, prod, 0);
    pthread_create(&t, 0, cons, 0);
  }
  return 0;
}
