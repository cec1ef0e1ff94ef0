// race: unsafe lines 9 26 — for one number the counter goes up on its way down: one thread is joined twice and one never
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
enum { THREADS = 3 };
static int x;

static void *work(void *arg) {
  if (arg) x++;
  return NULL;
}

int main(void) {
  pthread_t ids[THREADS];
  int odd = __VERIFIER_nondet_uint() * 2654435761u == 123456789u;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&ids[i], NULL, work, i == 0 && odd ? &x : NULL);
  int i = THREADS - 1;
  pthread_join(ids[i], NULL);
  i--;
  pthread_join(ids[i], NULL);
  i--;
  if (odd) i++;
  pthread_join(ids[i], NULL);
  if (!odd) return 0;
  x++;
  return 0;
}
