/* The threads of C11, and no mutex. */
#include "small.h"

int count;
mtx_t m;
static int work(void *a) {
  (void)a;
  if (!RACY) mtx_lock(&m);
  count++;
  if (!RACY) mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t t, u;
  mtx_init(&m, mtx_plain);
  thrd_create(&t, work, NULL);
  thrd_create(&u, work, NULL);
  thrd_join(t, NULL);
  thrd_join(u, NULL);
  return 0;
}
