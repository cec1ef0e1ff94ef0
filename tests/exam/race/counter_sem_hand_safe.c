/* safe: readers count themselves in with CAS on a word where -1 is the writer. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int word; int data;
static void *rd(void *p) {
  int o = atomic_load(&word);
  if (o < 0 || o > 1000) return 0;
  if (!atomic_compare_exchange_strong(&word, &o, o + 1)) return 0;
  int v = data; (void)v;
  atomic_fetch_sub(&word, 1);
  return 0;
}
static void *wr(void *p) {
  int o = 0;
  if (!atomic_compare_exchange_strong(&word, &o, -1)) return 0;
  data++;
  atomic_store(&word, 0);
  return 0;
}
int main(void) { pthread_t t; while (1) { pthread_create(&t, 0, rd, 0); pthread_create(&t, 0, wr, 0); } }
