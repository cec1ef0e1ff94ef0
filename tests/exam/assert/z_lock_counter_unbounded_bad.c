/* bad: it is set outside of the lock by a kind of thread that comes after ten others. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int in_cs, n;
static void *w(void *p) {
  pthread_mutex_lock(&m);
  assert(in_cs == 0);
  in_cs = 1;
  n = n < 100 ? n + 1 : n;
  if (n == 10) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); }
  in_cs = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
