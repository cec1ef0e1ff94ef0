/* safe: a timed wait gives the mutex back and takes it again, also at the timeout. */
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int x;
static void *w(void *q) {
  struct timespec ts = { 1, 0 };
  pthread_mutex_lock(&m);
  int r = pthread_cond_timedwait(&c, &m, &ts);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
