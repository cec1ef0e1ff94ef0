/* bad: x is written under the other bit. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_uint flags;
static int x, y;
static void take(unsigned b) {
  for (;;) {
    unsigned f = atomic_load(&flags);
    if (!(f & b) && atomic_compare_exchange_strong(&flags, &f, f | b)) return;
  }
}
static void *one(void *p) {
  take(1);
  x++;
  atomic_fetch_and(&flags, ~1u);
  return 0;
}
static void *two(void *p) {
  take(2);
  y++;
  x++;
  atomic_fetch_and(&flags, ~2u);
  return 0;
}
int main(void) {
  pthread_t t;
  while (__VERIFIER_nondet_int()) {
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
  }
  return 0;
}
