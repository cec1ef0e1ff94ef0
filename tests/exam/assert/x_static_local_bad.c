/* bad: there are 2 calls, not 1. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int calls(void) { static int n; pthread_mutex_lock(&m); int r = ++n; pthread_mutex_unlock(&m); return r; }
static void *w(void *p) {
  int r = calls();
  assert(r == 1);
  return 0; }
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
