/* safe: 200 + 50 fits into an unsigned char. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_uchar c = 200;
static void *w(void *p) {
  atomic_fetch_add(&c, 50);
  return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); assert(atomic_load(&c) >= 200); pthread_join(t, 0); return 0; }
