/* bad: the next in line enters together with the one that is served. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
atomic_uint next, serving; int x;
static void *w(void *a) {
  while (__VERIFIER_nondet_int()) {
    unsigned my = atomic_fetch_add(&next, 1);
    while (my - atomic_load(&serving) > 1u) ;
    x++;
    atomic_fetch_add(&serving, 1);
  }
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
