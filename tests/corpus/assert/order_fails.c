// assert: unsafe; race: safe — the assertion relies on one thread being faster
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *prepare(void *arg) {
  atomic_store(&ready, 1);
  return arg;
}

static void *use(void *arg) {
  assert(atomic_load(&ready) == 1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, prepare, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
