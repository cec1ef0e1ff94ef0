/* bad: both may or may not succeed: done may be 1. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; atomic_int done;
static void *w(void *p) { if (!pthread_mutex_trylock(&m)) { atomic_fetch_add(&done, 1); pthread_mutex_unlock(&m); } return 0; }
int main(void) {
  pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0);
  assert(done == 2);
  return 0;
}
