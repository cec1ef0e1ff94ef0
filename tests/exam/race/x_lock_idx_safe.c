/* safe: the cell's index fixes the lock's (equal mod 4 whenever equal mod 8). */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t l[8]; int v[8];
static void *w(void *p) {
  unsigned k = (unsigned)__VERIFIER_nondet_int();
  pthread_mutex_lock(&l[k % 4]); v[k % 8]++; pthread_mutex_unlock(&l[k % 4]);
  return 0;
}
int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 8; i++) pthread_mutex_init(&l[i], 0);
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
