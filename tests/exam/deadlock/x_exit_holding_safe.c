/* safe: the worker unlocks before pthread_exit. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void *w(void *p) {
  pthread_mutex_lock(&m); x++;
  pthread_mutex_unlock(&m);
  pthread_exit(0);
}
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
