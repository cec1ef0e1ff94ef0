/* safe: generations in a byte; a thread works where it moved an even one to the odd one behind it. */
#include <pthread.h>
#include <stdatomic.h>
atomic_uchar g; int x;
static void *w(void *p) {
  unsigned char o = atomic_load(&g);
  if (o & 1) return 0;
  if (!atomic_compare_exchange_strong(&g, &o, (unsigned char)(o + 1))) return 0;
  x++;
  atomic_store(&g, (unsigned char)(o + 2));
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
