/* bad: the turn is given to oneself. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
atomic_int flag0, flag1, turn; int x;
static void *p0(void *a) {
  while (__VERIFIER_nondet_int()) {
    atomic_store(&flag0, 1);
    atomic_store(&turn, 0);
    while (atomic_load(&flag1) && atomic_load(&turn) == 1) ;
    x++;
    atomic_store(&flag0, 0);
  }
  return 0;
}
static void *p1(void *a) {
  while (__VERIFIER_nondet_int()) {
    atomic_store(&flag1, 1);
    atomic_store(&turn, 0);
    while (atomic_load(&flag0) && atomic_load(&turn) == 0) ;
    x--;
    atomic_store(&flag1, 0);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p0, 0); pthread_create(&b, 0, p1, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return x;
}
