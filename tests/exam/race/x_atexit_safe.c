/* safe: the handler locks. */
#include <pthread.h>
#include <stdlib.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void bye(void) {
  pthread_mutex_lock(&m);
  x = 0;
  pthread_mutex_unlock(&m);
}
static void *w(void *p) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; atexit(bye); pthread_create(&t, 0, w, 0); return 0; }
