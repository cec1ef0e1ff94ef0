/* Atomic operations of all sizes.
 * COUNT: atomic-store 5
 * COUNT: atomic-rmw 15
 * COUNT: atomic-load 10 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 uint128_t;
static uint8_t a;
static uint16_t b;
static uint32_t c;
static uint64_t d;
static _Alignas(16) uint128_t e;

#define ALL(type, x)                                                                     \
  do {                                                                                   \
    type old = 5, wrong = 4;                                                             \
    __atomic_store_n(&x, (type)5, __ATOMIC_RELEASE);                                     \
    if (__atomic_load_n(&x, __ATOMIC_ACQUIRE) != 5) bad |= sizeof x;                     \
    if (__atomic_fetch_add(&x, (type)2, __ATOMIC_RELAXED) != 5) bad |= sizeof x;         \
    if (__atomic_compare_exchange_n(&x, &old, (type)1, 0, __ATOMIC_SEQ_CST,              \
                                    __ATOMIC_SEQ_CST))                                   \
      bad |= sizeof x;                                                                   \
    if (old != 7) bad |= sizeof x;                                                       \
    wrong = 7;                                                                           \
    if (!__atomic_compare_exchange_n(&x, &wrong, (type)~(type)0, 0, __ATOMIC_SEQ_CST,    \
                                     __ATOMIC_SEQ_CST))                                  \
      bad |= sizeof x;                                                                   \
    if ((type)__atomic_exchange_n(&x, (type)3, __ATOMIC_ACQ_REL) != (type)~(type)0)      \
      bad |= sizeof x;                                                                   \
  } while (0)

static void *worker(void *arg) {
  unsigned *result = arg, bad = 0;
  ALL(uint8_t, a);
  ALL(uint16_t, b);
  ALL(uint32_t, c);
  ALL(uint64_t, d);
  ALL(uint128_t, e);
  *result = bad;
  return arg;
}

int main(void) {
  pthread_t t;
  unsigned bad = 1;
  pthread_create(&t, NULL, worker, &bad);
  pthread_join(t, NULL);
  printf("%u %d %d\n", bad, (int)a, (int)e);
  return (int)bad;
}
