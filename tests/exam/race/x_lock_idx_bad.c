/* bad: one cell has two locks. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t l[8]; int v[8];
static void *w(void *p) {
  unsigned k = (unsigned)__VERIFIER_nondet_int();
  pthread_mutex_lock(&l[k % 8]); v[k % 4]++; pthread_mutex_unlock(&l[k % 8]);
  return 0;
}
int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 8; i++) pthread_mutex_init(&l[i], 0);
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
