/* The GNU __atomic builtins with explicit orders: every operation, n-forms, test_and_set,
   16 bytes. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t counter;
static uint16_t half;
static int *slot, cell;
static char flag;
static int inside;
static volatile int seen;

static void *run(void *arg) {
  for (int i = 0; i < *(int *)arg; i++) {
    __atomic_fetch_add(&counter, 3, __ATOMIC_RELAXED);
    __atomic_add_fetch(&half, 500, __ATOMIC_SEQ_CST);
    while (__atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    inside++;
    __atomic_clear(&flag, __ATOMIC_RELEASE);
  }
  return NULL;
}

static void *publish(void *arg) {
  cell = *(int *)arg;
  __atomic_store_n(&slot, &cell, __ATOMIC_RELEASE);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int n[2] = {25, 15}, message = 4711;
  pthread_create(&a, NULL, run, &n[0]);
  pthread_create(&b, NULL, run, &n[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%lu %u %d\n", (unsigned long)counter, half, inside);
  pthread_create(&a, NULL, publish, &message);
  int *p;
  while (!(p = __atomic_load_n(&slot, __ATOMIC_ACQUIRE)));
  printf("%d\n", *p);
  pthread_join(a, NULL);

  int v = 6, w = 7, r;
  __atomic_load(&v, &r, __ATOMIC_SEQ_CST);
  __atomic_store(&v, &w, __ATOMIC_SEQ_CST);
  printf("%d %d ", r, v);
  __atomic_exchange(&v, &r, &w, __ATOMIC_ACQ_REL);
  printf("%d %d ", v, w);
  printf("%d ", __atomic_exchange_n(&v, 40, __ATOMIC_RELAXED));
  printf("%d\n", v);
  int expect = 41;
  printf("%d ", __atomic_compare_exchange_n(&v, &expect, 5, 0, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED));
  printf("%d ", expect);
  printf("%d ", __atomic_compare_exchange_n(&v, &expect, 5, 0, __ATOMIC_SEQ_CST,
                                            __ATOMIC_SEQ_CST));
  printf("%d\n", v);
  printf("%d ", __atomic_sub_fetch(&v, 10, __ATOMIC_RELAXED));
  printf("%d ", __atomic_or_fetch(&v, 2, __ATOMIC_RELAXED));
  printf("%d ", __atomic_and_fetch(&v, 0xff, __ATOMIC_RELAXED));
  printf("%d ", __atomic_xor_fetch(&v, 1, __ATOMIC_RELAXED));
  printf("%d ", __atomic_nand_fetch(&v, 3, __ATOMIC_RELAXED));
  printf("%d ", __atomic_fetch_nand(&v, 1, __ATOMIC_RELAXED));
  printf("%d\n", v);
  unsigned char byte = 3;
  printf("%d ", __atomic_fetch_sub(&byte, 5, __ATOMIC_SEQ_CST));
  printf("%d\n", byte);
  int list[3] = {1, 2, 3}, *q = list;
  q = (__atomic_fetch_add(&q, sizeof *q, __ATOMIC_RELAXED), q);
  printf("%d\n", *q);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_signal_fence(__ATOMIC_ACQUIRE);
  printf("%d %d\n", __atomic_always_lock_free(sizeof(int), 0),
         __atomic_is_lock_free(8, 0));
  seen = seen + 1;
  return seen;
}
