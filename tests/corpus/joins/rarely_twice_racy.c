// race: unsafe lines 8 26 — for one number out of many main joins one thread twice, which is undefined, and the other never
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
static int x;

static void *first(void *arg) {
  x++;
  return arg;
}

static void *second(void *arg) { return arg; }

int main(void) {
  pthread_t a, b;
  unsigned n = __VERIFIER_nondet_uint();
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  if (n * 2654435761u == 123456789u) {
    pthread_join(b, NULL);
    pthread_join(b, NULL);
  } else {
    pthread_join(a, NULL);
    pthread_join(b, NULL);
  }
  x++;
  return 0;
}
