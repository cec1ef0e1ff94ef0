/* safe: bits are set by fetch_or. */
#include <pthread.h>
#include <stdatomic.h>
atomic_uint w; int x; 
static void setb(unsigned k) {
  atomic_fetch_or(&w, k);
}
static void *t1(void *p) {
  unsigned e = atomic_load(&w);
  while ((e & 1u) || !atomic_compare_exchange_strong(&w, &e, e | 1u)) e = atomic_load(&w);
  x++;
  atomic_fetch_and(&w, ~1u);
  return 0;
}
static void *t2(void *p) { setb(4u); return 0; }
int main(void) { pthread_t t[4]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, i == 2 ? t2 : t1, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }
