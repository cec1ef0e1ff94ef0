/* bad: main joins with the lock that the worker wants. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void *w(void *v) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  pthread_mutex_unlock(&m);
  return 0;
}
