/* bad: a timed-out lock is taken for held. */
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void *w(void *q) {
  struct timespec ts = { 0, 0 };
  int r = pthread_mutex_timedlock(&m, &ts);
  x++;
  if (r) return 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
