// race: unsafe lines 13 20 — what a thread did before its path is assumed away has happened
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

static atomic_int go;
static int x;

static void *first(void *unused) {
  atomic_store(&go, 1);
  x = 1;
  __VERIFIER_assume(0);
  return unused;
}

static void *second(void *unused) {
  if (atomic_load(&go) == 1)
    x = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(b, 0);
  pthread_join(a, 0);
  return 0;
}
