/* safe: lock and unlock in helpers that return on every path with the lock. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, closing;
static int enter(void) {
  pthread_mutex_lock(&m);
  return 0;
}
static void *w(void *q) { int r = enter(); x++; if (!r) pthread_mutex_unlock(&m); return 0; }
static void *c(void *q) { pthread_mutex_lock(&m); closing = 1; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, w, 0); pthread_create(&t[1], 0, w, 0); pthread_create(&t[2], 0, c, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
