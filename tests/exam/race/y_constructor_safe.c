/* safe: the thread of the constructor takes the lock. */
#include <pthread.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_t t;
static void *w(void *a) { 
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  return 0; }
__attribute__((constructor)) static void init(void) { pthread_create(&t, 0, w, 0); }
int main(void) { pthread_mutex_lock(&m); x = 2; pthread_mutex_unlock(&m); pthread_join(t, 0); return 0; }
