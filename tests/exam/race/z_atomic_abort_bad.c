/* bad: the section only returns, and the caller does not look. */
#include <pthread.h>
int busy, x;
int __VERIFIER_atomic_try(void) {
  if (busy) return 0;
  busy = 1;
  return 1;
}
void __VERIFIER_atomic_leave(void) { busy = 0; }
static void *w(void *p) { int r = __VERIFIER_atomic_try(); x++; if (r) __VERIFIER_atomic_leave(); return 0; }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
