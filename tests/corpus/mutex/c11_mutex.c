// race: safe; deadlock: safe — the C11 thread library: a mutex guards a counter
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

int main(void) {
  thrd_t a, b;
  int three = 3, four = 4;
  mtx_init(&lock, mtx_plain);
  thrd_create(&a, add, &three);
  thrd_create(&b, add, &four);
  int got;
  thrd_join(a, &got);
  thrd_join(b, NULL);
  mtx_destroy(&lock);
  return counter - 7 + got - 3;
}
