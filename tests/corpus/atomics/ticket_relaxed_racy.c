// race: unsafe lines 11 — nor does the read of the turn acquire
#include <pthread.h>
#include <stdatomic.h>
atomic_uint next, serving;
int c;
void *thr(void *p) {
  (void)p;
  unsigned my = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_relaxed) != my) {
  }
  c++;
  atomic_store_explicit(&serving, my + 1, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, thr, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return c;
}
