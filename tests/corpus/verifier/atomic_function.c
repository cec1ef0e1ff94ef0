// race: safe — a function whose name makes its body atomic
#include <pthread.h>

static int value;

static void __VERIFIER_atomic_add(int n) { value += n; }

static void *bump(void *arg) {
  __VERIFIER_atomic_add(2);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, bump, NULL);
  pthread_create(&b, NULL, bump, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 4;
}
