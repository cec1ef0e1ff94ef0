/* bad: hits is counted under the read lock. */
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int val, hits;
static void *rd(void *p) {
  int v; pthread_rwlock_rdlock(&l); v = val; hits++; pthread_rwlock_unlock(&l);
  return (void *)(long)v;
}
static void *wr(void *p) { pthread_rwlock_wrlock(&l); val++; hits = 0; pthread_rwlock_unlock(&l); return 0; }
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, rd, 0); pthread_create(&t, 0, wr, 0); } }
