/* bad: the neighbour is cleared with the lock of k. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
#define N 8
struct { pthread_mutex_t m; int v; } tab[N];
static void *w(void *p) {
  while (__VERIFIER_nondet_int()) {
    unsigned k = (unsigned)__VERIFIER_nondet_int() % N;
    pthread_mutex_lock(&tab[k].m);
    tab[k].v++;
    if (tab[k].v == 3) tab[(k + 1) % N].v = 0;
    pthread_mutex_unlock(&tab[k].m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < N; i++) pthread_mutex_init(&tab[i].m, 0);
  while (1) pthread_create(&t, 0, w, 0);
}
