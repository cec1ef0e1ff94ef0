/* bad: they come to be equal, so a > b or b > a does not last. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; unsigned a = 36, b = 30;
static void *w(void *p) { for (int i = 0; i < 8; i++) { pthread_mutex_lock(&m); if (a > b) a -= b; else if (b > a) b -= a; pthread_mutex_unlock(&m); } return 0; }
int main(void) {
  pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&m);
  assert(a != b);
  pthread_mutex_unlock(&m);
  return 0;
}
