/* safe: a recursive spinlock by owner and depth, two threads with ids 1 and 2. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int owner; int depth, x;
static void lk(int me) {
  if (atomic_load(&owner) == me) { depth++; return; }
  int z = 0;
  while (!atomic_compare_exchange_strong(&owner, &z, me)) z = 0;
  depth = 1;
}
static void ul(void) { if (--depth == 0) atomic_store(&owner, 0); }
static void *w(void *a) {
  int me = (int)(long)a;
  lk(me); lk(me); x++; ul(); x++; ul();
  return 0;
}
int main(void) { pthread_t s, t; pthread_create(&s, 0, w, (void *)1L); pthread_create(&t, 0, w, (void *)2L); pthread_join(s, 0); pthread_join(t, 0); return x; }
