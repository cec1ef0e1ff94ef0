// race: safe — of any number of threads, the one that sets the flag writes
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
static atomic_flag taken = ATOMIC_FLAG_INIT;
static int owner;
void *thr(void *p) {
  if (!atomic_flag_test_and_set(&taken)) owner = (int)(long)p;
  return 0;
}
int main(void) {
  pthread_t a;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) pthread_create(&a, 0, thr, (void *)(long)i);
  return 0;
}
