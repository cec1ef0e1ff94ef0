/* safe: the copy is made under the lock. */
#include <pthread.h>
struct big { int a, b, c[6]; } g; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) { pthread_mutex_lock(&m); g.c[4]++; pthread_mutex_unlock(&m); return 0; }
static void *r(void *p) {
  pthread_mutex_lock(&m);
  struct big l = g;
  pthread_mutex_unlock(&m);
  return (void *)(long)l.c[4];
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, r, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
