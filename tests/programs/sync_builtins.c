/* The older __sync builtins: fetch and op, op and fetch, compare and swap, lock test and
   set, all widths. */
#include <pthread.h>
#include <stdio.h>

static int counter, spin, guarded;
static long total;
static char small;
static short medium;

static void *run(void *arg) {
  int n = *(int *)arg;
  for (int i = 0; i < n; i++) {
    __sync_fetch_and_add(&counter, 2);
    __sync_add_and_fetch(&total, i);
    __sync_fetch_and_xor(&small, 1);
    __sync_sub_and_fetch(&medium, 3);
    while (__sync_lock_test_and_set(&spin, 1));
    guarded++;
    __sync_lock_release(&spin);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int n[2] = {21, 20};
  pthread_create(&a, NULL, run, &n[0]);
  pthread_create(&b, NULL, run, &n[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  printf("%d %ld %d %d %d\n", counter, total, small, medium, guarded);
  int v = 12;
  printf("%d ", __sync_fetch_and_sub(&v, 5));
  printf("%d ", __sync_fetch_and_or(&v, 8));
  printf("%d ", __sync_fetch_and_and(&v, 13));
  printf("%d ", __sync_fetch_and_nand(&v, 9));
  printf("%d\n", v);
  printf("%d ", __sync_or_and_fetch(&v, 1));
  printf("%d ", __sync_and_and_fetch(&v, 0xff));
  printf("%d ", __sync_xor_and_fetch(&v, 0x0f));
  printf("%d\n", __sync_nand_and_fetch(&v, 0xf0));
  printf("%d %d\n", __sync_bool_compare_and_swap(&v, 0, 1), v);
  int old = v;
  printf("%d ", __sync_val_compare_and_swap(&v, old, 99) == old);
  printf("%d\n", v);
  int cells[2] = {1, 2}, *p = cells;
  printf("%d ", *__sync_val_compare_and_swap(&p, &cells[0], &cells[1]));
  printf("%d ", *__sync_lock_test_and_set(&p, &cells[0]));
  printf("%d\n", *p);
  unsigned char u = 250;
  printf("%d ", __sync_add_and_fetch(&u, 10));
  unsigned long long w = ~0ull;
  printf("%llu\n", __sync_fetch_and_add(&w, 1));
  __sync_synchronize();
  printf("%llu\n", w);
  return 0;
}
