/* bad: all bits are cleared at the release, also those of others. */
#include <pthread.h>
#include <stdatomic.h>
atomic_uint bits; int cell0, cell1;
static void *w0(void *p) {
  for (;;) {
    while (atomic_fetch_or(&bits, 1u) & 1u) ;
    cell0++;
    atomic_store(&bits, 0u);
  }
  return 0;
}
static void *w1(void *p) {
  for (;;) {
    while (atomic_fetch_or(&bits, 2u) & 2u) ;
    cell1++;
    atomic_fetch_and(&bits, ~2u);
  }
  return 0;
}
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, w0, 0); pthread_create(&t, 0, w1, 0); } }
