/* safe: the value of the thread is its argument plus one. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void *w(void *p) { return (void *)(long)(int)((unsigned)(long)p + 1u); }
int main(void) {
  pthread_t t; void *r; int n = __VERIFIER_nondet_int();
  if (n > 1000000 || n < 0) return 0;
  pthread_create(&t, 0, w, (void *)(long)n);
  pthread_join(t, &r);
  assert((int)(long)r > n);
  return 0;
}
