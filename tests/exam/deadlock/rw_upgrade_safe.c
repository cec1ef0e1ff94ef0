/* safe: the read lock is given back before the write lock is taken. */
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;
static void *w(void *v) {
  pthread_rwlock_rdlock(&l);
  int k = x;
  pthread_rwlock_unlock(&l);
  pthread_rwlock_wrlock(&l);
  x = k + 1;
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); return 0; }
