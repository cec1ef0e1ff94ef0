// race: unsafe lines 10 17 — the C11 thread library: one of two threads forgets the mutex
#include <threads.h>

static int counter;
static mtx_t lock;

static int add(void *arg) {
  int n = *(int *)arg;
  mtx_lock(&lock);
  counter += n;
  mtx_unlock(&lock);
  return n;
}

static int reset(void *arg) {
  (void)arg;
  counter = 0;
  return 0;
}

int main(void) {
  thrd_t a, b;
  int three = 3;
  mtx_init(&lock, mtx_plain);
  thrd_create(&a, add, &three);
  thrd_create(&b, reset, NULL);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  mtx_destroy(&lock);
  return counter > 3;
}
