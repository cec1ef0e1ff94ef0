/* safe: three locks in a cycle of orders, but one edge only where an impossible condition holds (k*k == 3 mod 4). */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t l[3] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static void two(int i, int j) { pthread_mutex_lock(&l[i]); pthread_mutex_lock(&l[j]); pthread_mutex_unlock(&l[j]); pthread_mutex_unlock(&l[i]); }
static void *a(void *p) { two(0, 1); return 0; }
static void *b(void *p) { two(1, 2); return 0; }
static void *c(void *p) {
  unsigned k = (unsigned)__VERIFIER_nondet_int();
  if ((k * k & 3u) == 3u) two(2, 0);
  return 0;
}
int main(void) { pthread_t t[3]; pthread_create(&t[0], 0, a, 0); pthread_create(&t[1], 0, b, 0); pthread_create(&t[2], 0, c, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }
