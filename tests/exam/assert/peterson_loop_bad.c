/* bad: the flag is lowered before the critical section ends. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int flag[2], turn; int owner = -1;
static void *p(void *a) {
  int me = (int)(long)a, he = 1 - me;
  for (;;) {
    atomic_store(&flag[me], 1);
    atomic_store(&turn, he);
    while (atomic_load(&flag[he]) && atomic_load(&turn) == he) ;
    owner = me;
    atomic_store(&flag[me], 0);
    assert(owner == me);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, p, (void *)0L); pthread_create(&b, 0, p, (void *)1L);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
