/* bad: 255 + 1 is 0 in a byte: with `!= 256` as the end the owner's test of overflow never holds, so x is freed for all at once. */
#include <pthread.h>
#include <stdatomic.h>
atomic_uchar g; int x;
static void *w(void *p) {
  unsigned char o = atomic_load(&g);
  if (o & 1) return 0;
  if (!atomic_compare_exchange_strong(&g, &o, (unsigned char)(o + 1))) return 0;
  x++;
  atomic_store(&g, (unsigned char)(o + 2)); if (o + 2 == 256) x = 0;
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
