/* safe: the cleanup handler, run by pop(1), stands inside of the lock. */
#include <pthread.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void cl(void *p) { x--; }
static void *w(void *p) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(cl, 0);
  x++;
  pthread_cleanup_pop(1);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_join(a, 0); pthread_join(b, 0); return x; }
