/* Functions of many shapes: each has a body for runs that are watched and one for others,
 * and both do the same.
 * TRACE: main.1 write shared
 * COUNT: threads 2 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  long words[40];
  char name[24];
} Large;

static Large shared;
static atomic_int turns;
static _Atomic(long *) head;
static jmp_buf back;

/* Blocks with addresses cannot be had twice. */
static long machine(const unsigned char *code) {
  static void *const steps[] = {&&stop, &&add, &&twice};
  long value = 1;
  goto *steps[*code];
add:
  value += 3;
  code++;
  goto *steps[*code];
twice:
  value *= 2;
  code++;
  goto *steps[*code];
stop:
  return value;
}

static long sum(int count, ...) {
  va_list list;
  long result = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) result += i % 2 ? va_arg(list, int) : va_arg(list, long);
  va_end(list);
  return result;
}

static Large copied(Large one, int n) {
  int row[n]; /* a length that only the run knows */
  memset(row, n, sizeof row);
  for (int i = 0; i < 40; i++) one.words[i] += row[i % n] & 0xff;
  memmove(one.name + 1, one.name, sizeof one.name - 1);
  return one;
}

static const char *word(int n) {
  switch (n) {
  case 0: return "none";
  case 1: return "one";
  case 7: return "seven";
  case 1000: return "thousand";
  default: return n < 0 ? "less" : "many";
  }
}

static void leave(int depth) {
  shared.words[depth] = depth;
  if (depth == 5) longjmp(back, 3);
  leave(depth + 1);
}

static int odd(unsigned n);
static int even(unsigned n) {
  return n ? odd(n - 1) : 1;
}
static int odd(unsigned n) {
  return n ? even(n - 1) : 0;
}

static void *worker(void *a) {
  static long numbers[64];
  for (int i = 0; i < 64; i++) numbers[i] = i * 3;
  for (int i = 1; i < 64; i++) numbers[i] += numbers[i - 1];
  shared = copied(shared, 5);
  atomic_fetch_add(&turns, 2);
  atomic_fetch_xor(&turns, 1);
  int expected = 3;
  int won = atomic_compare_exchange_strong(&turns, &expected, 40);
  atomic_store_explicit(&head, &numbers[63], memory_order_release);
  atomic_thread_fence(memory_order_seq_cst);
  printf("%d %d %ld\n", won, atomic_exchange(&turns, 9), *atomic_load(&head));
  return a;
}

int main(int argc, char **argv) {
  pthread_t t;
  unsigned char code[] = {1, 2, 2, 1, 0};
  (void)argv;
  strcpy(shared.name, "names");
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  int jumped = setjmp(back);
  if (!jumped) leave(1);
  printf("%d %ld %s %d\n", jumped, shared.words[5], shared.name, atomic_load(&turns));
  printf("%ld %ld %s %s %d\n", machine(code), sum(4, 10L, 20, 30L, 40), word(argc * 7),
         word(-argc), even(1001));
  return 0;
}
