/* bad: who got EDEADLK unlocks twice, and writes in between. */
#include <pthread.h>
#include <errno.h>
pthread_mutex_t m; int x;
static void *w(void *q) {
  pthread_mutex_lock(&m);
  int r = pthread_mutex_lock(&m);
  if (r == EDEADLK) pthread_mutex_unlock(&m);
  x++;
  return 0;
}
int main(void) {
  pthread_t s, t; pthread_mutexattr_t a;
  pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&m, &a);
  pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0;
}
