/* thrd_detach, and main is gone. */
#include "small.h"

int state;
mtx_t m;
static int work(void *a) {
  (void)a;
  if (!RACY) mtx_lock(&m);
  state = 1;
  if (!RACY) mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, work, NULL);
  thrd_detach(t);
  work(NULL);
  return 0;
}
