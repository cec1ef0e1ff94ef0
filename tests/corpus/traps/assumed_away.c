// race: safe — the path on which both would write is assumed away before the write
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

static atomic_int go;
static int x;

static void *first(void *unused) {
  x = 1;
  atomic_store(&go, 1);
  return unused;
}

static void *second(void *unused) {
  __VERIFIER_assume(atomic_load(&go) == 1);
  x = 2;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
