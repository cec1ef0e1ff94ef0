// assert: safe; race: safe — sequentially consistent
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int p, q;
static void *one(void *unused) {
  x = 1;
  p = y;
  return unused;
}

static void *two(void *unused) {
  y = 1;
  q = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(p || q);
  return 0;
}
