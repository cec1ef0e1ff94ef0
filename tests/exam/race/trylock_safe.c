/* safe: x is touched where trylock gave 0. */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
static void *w(void *p) {
  int r = pthread_mutex_trylock(&m);
  if (r == 0) x++;
  if (r == 0) pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
