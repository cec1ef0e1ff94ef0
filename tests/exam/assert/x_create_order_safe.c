/* safe: what main wrote before the creation is seen. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int cfg;
static void *w(void *p) { assert(atomic_load(&cfg) == 3); return 0; }
int main(void) {
  pthread_t t;
  atomic_store(&cfg, 3);
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  return 0;
}
