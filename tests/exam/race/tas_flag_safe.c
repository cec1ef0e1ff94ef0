/* safe: who does not win the flag does not touch the data. */
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_flag f = ATOMIC_FLAG_INIT; int data[2];
static void *w(void *a) {
  for (int i = 0; i < 3; i++)
    if (!atomic_flag_test_and_set(&f)) {
      data[0]++; data[1] = data[0];
      atomic_flag_clear(&f);
      return 0;
    }
  return 0;
}
int main(void) { pthread_t t; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, w, 0); return 0; }
