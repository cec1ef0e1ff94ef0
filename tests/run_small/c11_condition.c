/* cnd_wait, and a predicate that is set outside. */
#include "small.h"

int ready;
mtx_t m;
cnd_t c;
static int work(void *a) {
  (void)a;
  if (!RACY) mtx_lock(&m);
  ready = 1;
  if (RACY) mtx_lock(&m);
  cnd_signal(&c);
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t, work, NULL);
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  mtx_unlock(&m);
  thrd_join(t, NULL);
  return 0;
}
