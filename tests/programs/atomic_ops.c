/* C11 atomics: every operation on every width, return values, wrap around, from several
   threads too. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define ALL(type, start)                                                                 \
  do {                                                                                   \
    _Atomic type v = (type)(start);                                                      \
    long long r[9];                                                                      \
    r[0] = (long long)atomic_fetch_add(&v, 100);                                         \
    r[1] = (long long)atomic_fetch_sub(&v, 7);                                           \
    r[2] = (long long)atomic_fetch_or(&v, 0x41);                                         \
    r[3] = (long long)atomic_fetch_and(&v, (type)~0x11);                                 \
    r[4] = (long long)atomic_fetch_xor(&v, 0x5a);                                        \
    r[5] = (long long)atomic_exchange(&v, (type)(v + 3));                                \
    type expect = v;                                                                     \
    r[6] = atomic_compare_exchange_strong(&v, &expect, 9);                               \
    expect = 1;                                                                          \
    r[7] = atomic_compare_exchange_strong(&v, &expect, 10) * 100 + expect;               \
    atomic_store(&v, (type) - 5);                                                        \
    r[8] = (long long)atomic_load(&v);                                                   \
    printf("%-18s", #type);                                                              \
    for (int i = 0; i < 9; i++) printf(" %lld", r[i]);                                   \
    v++, ++v, v -= 2, v *= 3, v |= 1, v ^= 8;                                            \
    printf(" %lld %d\n", (long long)v, atomic_is_lock_free(&v));                         \
  } while (0)

static atomic_int counter;
static atomic_ulong bits;
static _Atomic(int *) walker;
static int cells[64];

static void *run(void *arg) {
  int id = *(int *)arg;
  for (int i = 0; i < 16; i++) {
    atomic_fetch_add_explicit(&counter, id + 1, memory_order_relaxed);
    atomic_fetch_or_explicit(&bits, 1ul << (id * 16 + i), memory_order_acq_rel);
    int *mine = atomic_fetch_add(&walker, 1);
    *mine = 1;
  }
  return NULL;
}

int main(void) {
  ALL(signed char, 120);
  ALL(unsigned char, 200);
  ALL(short, -5);
  ALL(unsigned short, 65500);
  ALL(int, 2000000000);
  ALL(unsigned, 4294967290u);
  ALL(long, -(1L << 40));
  ALL(unsigned long, 1ul << 63);
  ALL(int64_t, 5);
  _Atomic _Bool flag = 0;
  printf("%d ", atomic_exchange(&flag, 1));
  printf("%d %d\n", atomic_load(&flag), flag == 1);
  pthread_t t[4];
  int id[4];
  atomic_init(&walker, cells);
  for (int i = 0; i < 4; i++) {
    id[i] = i;
    pthread_create(&t[i], NULL, run, &id[i]);
  }
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  int filled = 0;
  for (int i = 0; i < 64; i++) filled += cells[i];
  printf("%d %lx %d %td\n", atomic_load(&counter), atomic_load(&bits), filled,
         atomic_load(&walker) - cells);
  _Atomic double d = 1.5;
  d += 2.25;
  d *= 2;
  _Atomic float f = 3;
  f /= 2;
  printf("%g %g\n", (double)d, (double)f);
  return 0;
}
