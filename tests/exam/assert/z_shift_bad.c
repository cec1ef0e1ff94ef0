/* bad: the bit falls off the end for a moment. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; unsigned w = 1;
static void *rot(void *p) {
  for (;;) {
    pthread_mutex_lock(&m);
    w <<= 1;
    pthread_mutex_unlock(&m); pthread_mutex_lock(&m);
    if (w == 16) w = 1;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, rot, 0); for (;;) { pthread_mutex_lock(&m); assert(w == 1 || w == 2 || w == 4 || w == 8); pthread_mutex_unlock(&m); } }
