/* bad: one of them leaves early when an input says so. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_barrier_t b; int early;
static void *w(void *v) {
  pthread_barrier_wait(&b);
  if (v && early) return 0;
  pthread_barrier_wait(&b);
  return 0;
}
int main(void) {
  pthread_t s, t;
  early = __VERIFIER_nondet_int() == 99;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, &early);
  pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
