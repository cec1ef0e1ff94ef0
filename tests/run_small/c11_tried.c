/* mtx_trylock, whose answer nobody looks at. */
#include "small.h"

int value;
mtx_t m;
static int work(void *a) {
  (void)a;
  mtx_lock(&m);
  value = 1;
  nap(30);
  value = 2;
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, work, NULL);
  nap(10);
  int code = mtx_trylock(&m);
  if (RACY || code == thrd_success) value++;
  if (code == thrd_success) mtx_unlock(&m);
  thrd_join(t, NULL);
  return 0;
}
