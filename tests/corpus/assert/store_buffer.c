// assert: safe; race: safe — with sequential consistency one of the two sees the other's store
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int saw_x = 1, saw_y = 1;

static void *left(void *arg) {
  atomic_store(&x, 1);
  saw_y = atomic_load(&y);
  return arg;
}

static void *right(void *arg) {
  atomic_store(&y, 1);
  saw_x = atomic_load(&x);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(saw_x || saw_y);
  return 0;
}
