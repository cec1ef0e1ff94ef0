/* bad: -1 is large as an unsigned one. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int lim = 3;
static void *w(void *p) { pthread_mutex_lock(&m); lim = -1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  unsigned k = lim;
  pthread_mutex_unlock(&m);
  assert(k < 10);
  return 0;
}
