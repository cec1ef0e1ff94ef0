/* safe: main writes before the first thread, and under the lock afterwards. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void *w(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t;
  x = 3;
  while (1) {
    pthread_create(&t, 0, w, 0);
    pthread_mutex_lock(&m);
    x = 0;
    pthread_mutex_unlock(&m);
  }
}
