/* bad: ten tenths do not. */
#include <pthread.h>
#include <assert.h>
double s; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) { for (int i = 0; i < 5; i++) { pthread_mutex_lock(&m); s += 0.1; pthread_mutex_unlock(&m); } return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  assert(s == 1.0);
  return 0;
}
