// race: safe; deadlock: safe — the C11 condition variable hands the data over
#include <threads.h>

static int data, ready;
static mtx_t lock;
static cnd_t cond;

static int giver(void *arg) {
  (void)arg;
  data = 9;
  mtx_lock(&lock);
  ready = 1;
  cnd_signal(&cond);
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t t;
  mtx_init(&lock, mtx_plain);
  cnd_init(&cond);
  thrd_create(&t, giver, NULL);
  mtx_lock(&lock);
  while (!ready) cnd_wait(&cond, &lock);
  mtx_unlock(&lock);
  int got = data;
  thrd_join(t, NULL);
  return got - 9;
}
