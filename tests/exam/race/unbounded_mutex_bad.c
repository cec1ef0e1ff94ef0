/* bad: main writes without the lock between two creations. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void *w(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t;
  x = 3;
  while (1) {
    pthread_create(&t, 0, w, 0);
    x = 0;
  }
}
