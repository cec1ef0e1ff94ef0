// race: unsafe lines 11 20 — an atomic section on one side only
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int value;

static void *bump(void *arg) {
  __VERIFIER_atomic_begin();
  value++;
  __VERIFIER_atomic_end();
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  int seen = value;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return seen > 2;
}
