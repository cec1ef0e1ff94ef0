// deadlock: unsafe — the C11 thread library: two mutexes in opposite orders
#include <threads.h>

static mtx_t a, b;

static int one(void *arg) {
  (void)arg;
  mtx_lock(&a);
  mtx_lock(&b);
  mtx_unlock(&b);
  mtx_unlock(&a);
  return 0;
}

static int two(void *arg) {
  (void)arg;
  mtx_lock(&b);
  mtx_lock(&a);
  mtx_unlock(&a);
  mtx_unlock(&b);
  return 0;
}

int main(void) {
  thrd_t t, u;
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  thrd_create(&t, one, NULL);
  thrd_create(&u, two, NULL);
  thrd_join(t, NULL);
  thrd_join(u, NULL);
  return 0;
}
