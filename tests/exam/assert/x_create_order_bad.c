/* bad: what it wrote behind it need not be. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int cfg;
static void *w(void *p) { assert(atomic_load(&cfg) == 3); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  atomic_store(&cfg, 3);
  pthread_join(t, 0);
  return 0;
}
