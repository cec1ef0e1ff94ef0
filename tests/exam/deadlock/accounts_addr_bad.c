/* bad: from before to. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
#define N 3
pthread_mutex_t m[N]; int bal[N];
static void *w(void *v) {
  unsigned f = (unsigned)__VERIFIER_nondet_int() % N, t = (unsigned)__VERIFIER_nondet_int() % N;
  if (f == t) return 0;
  unsigned x = f, y = t;
  pthread_mutex_lock(&m[x]); pthread_mutex_lock(&m[y]);
  bal[f]--; bal[t]++;
  pthread_mutex_unlock(&m[y]); pthread_mutex_unlock(&m[x]);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < N; i++) pthread_mutex_init(&m[i], 0);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
