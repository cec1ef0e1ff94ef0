// race: unsafe lines 10 33 — for one number an id goes into two elements: one thread is joined twice and one never
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
enum { THREADS = 3 };
static int x;

static void *work(void *arg) {
  if (arg) x++;
  return NULL;
}

static pthread_t start(void *arg) {
  pthread_t id;
  if (pthread_create(&id, NULL, work, arg) != 0) abort();
  return id;
}

int main(void) {
  pthread_t ids[THREADS];
  int odd = __VERIFIER_nondet_uint() * 2654435761u == 123456789u;
  pthread_t first = start(NULL);
  ids[0] = first;
  ids[1] = start(odd ? &x : NULL);
  ids[2] = start(NULL);
  if (odd) ids[1] = first;
  for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
  if (!odd) {
    x = 0;
    return 0;
  }
  x++;
  return 0;
}
