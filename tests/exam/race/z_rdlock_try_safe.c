/* safe: the writer writes where trywrlock gave 0. */
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int x;
static void *r(void *p) { pthread_rwlock_rdlock(&l); int v = x; pthread_rwlock_unlock(&l); return (void *)(long)v; }
static void *w(void *p) {
  if (!pthread_rwlock_trywrlock(&l)) { x++; pthread_rwlock_unlock(&l); }
  return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, r, 0); pthread_create(&t, 0, w, 0); } }
