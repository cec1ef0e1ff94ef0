/* bad: one unlock too many before the last write. */
#include <pthread.h>
pthread_mutex_t m; int x;
static void inner(void) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); }
static void *w(void *p) {
  pthread_mutex_lock(&m);
  inner();
  pthread_mutex_unlock(&m);
  x *= 2;
  return 0;
}
int main(void) {
  pthread_t a, b; pthread_mutexattr_t at;
  pthread_mutexattr_init(&at);
  pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &at);
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return x;
}
