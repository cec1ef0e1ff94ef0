// race: safe; deadlock: safe — a C11 recursive mutex
#include <threads.h>

static int balance = 10;
static mtx_t lock;

static void add(int n) {
  mtx_lock(&lock);
  balance += n;
  mtx_unlock(&lock);
}

static int transfer(void *arg) {
  mtx_lock(&lock);
  add(*(int *)arg);
  if (balance < 0) balance = 0;
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t a, b;
  int plus = 4, minus = -12;
  mtx_init(&lock, mtx_plain | mtx_recursive);
  thrd_create(&a, transfer, &plus);
  thrd_create(&b, transfer, &minus);
  thrd_join(a, NULL);
  thrd_join(b, NULL);
  return balance > 4;
}
