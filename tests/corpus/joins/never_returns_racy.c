// race: unsafe lines 10 33 — for one number the function returns: its thread is joined twice and another one never
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
static pthread_t id, other;
static int x;

static void *work(void *arg) {
  if (arg) x++;
  return NULL;
}

static void leave(int odd) {
  pthread_join(id, NULL);
  if (!odd) exit(0);
}

int main(void) {
  int odd = __VERIFIER_nondet_uint() * 2654435761u == 123456789u;
  pthread_create(&id, NULL, work, NULL);
  if (!odd) {
    leave(0);
    return 1;
  }
  pthread_create(&other, NULL, work, &x);
  leave(odd);
  if (odd) {
    leave(odd);
  } else {
    pthread_join(other, NULL);
  }
  x++;
  return 0;
}
