/* safe: in_cs is 0 outside of the lock, for any number of threads. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int in_cs, n;
static void *w(void *p) {
  pthread_mutex_lock(&m);
  assert(in_cs == 0);
  in_cs = 1;
  n = n < 100 ? n + 1 : n;
  in_cs = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
