/* safe: the pointer to the lock is the same for all nodes, and never changed. */
#include <pthread.h>
#include <stdatomic.h>
pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
_Atomic(pthread_mutex_t *) cur = &m1; int x;
static void *w(void *p) { pthread_mutex_t *m = atomic_load(&cur); pthread_mutex_lock(m); x++; pthread_mutex_unlock(m); return 0; }
static void *s(void *p) {
  atomic_store(&cur, &m1);
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, w, 0); pthread_create(&t[1], 0, w, 0); pthread_create(&t[2], 0, s, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
