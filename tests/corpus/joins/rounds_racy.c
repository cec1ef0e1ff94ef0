// race: unsafe lines 9 30 — for one number the second round leaves an old id in the array, so one thread is joined twice and one never
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
enum { THREADS = 4 };
static int x;

static void *work(void *arg) {
  if (arg) x++;
  return NULL;
}

int main(void) {
  pthread_t ids[THREADS], other;
  int odd = __VERIFIER_nondet_uint() * 2654435761u == 123456789u;
  for (int round = 0; round < 2; round++) {
    int from = 0;
    if (odd && round) {
      pthread_create(&other, NULL, work, &x);
      from = 1;
    }
    for (int i = from; i < THREADS; i++) pthread_create(&ids[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
  }
  if (!odd) {
    pthread_create(&other, NULL, work, &x);
    pthread_join(other, NULL);
    return 0;
  }
  x++;
  return 0;
}
