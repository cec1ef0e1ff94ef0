/* volatile accesses, restrict, inline and noreturn functions, attributes, unreachable
   code. */
#include <stdio.h>
#include <stdlib.h>

static volatile int port;
static volatile struct {
  unsigned ready : 1, data : 7;
  int log[4];
} device;

static inline __attribute__((always_inline)) int clamp(int v, int lo, int hi) {
  return v < lo ? lo : v > hi ? hi : v;
}
static __attribute__((noinline, pure)) int weigh(const int *restrict a,
                                                 const int *restrict b, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}
static _Noreturn void give_up(int code) {
  printf("giving up with %d\n", code);
  exit(code);
}
static int sure(int v) {
  switch (v & 1) {
  case 0: return 10;
  case 1: return 20;
  }
  __builtin_unreachable();
}
static void cleanup(int *p) {
  printf("cleanup %d\n", *p);
}
static int scoped(int v) {
  __attribute__((cleanup(cleanup))) int a = v;
  {
    __attribute__((cleanup(cleanup))) int b = v * 10;
    if (v == 2) return a + b;
    b++;
  }
  a++;
  return a;
}
struct __attribute__((aligned(32))) Aligned {
  char c;
};

int main(void) {
  for (int i = 0; i < 5; i++) port = port + i;
  port++;
  device.ready = 1;
  device.data = 100;
  device.data += 50;
  device.log[2] = port;
  device.log[2] <<= 2;
  printf("%d %u %u %d\n", port, device.ready, device.data, device.log[2]);
  int a[] = {1, 2, 3}, b[] = {4, 5, 6};
  printf("%d %d %d\n", clamp(50, 0, 9), clamp(-1, 0, 9), weigh(a, b, 3));
  printf("%d %d\n", sure(4), sure(7));
  printf("%d\n", scoped(1));
  printf("%d\n", scoped(2));
  struct Aligned x[2];
  printf("%zu %zu %d\n", sizeof x, _Alignof(struct Aligned), (int)((size_t)&x[1] % 32));
  _Static_assert(sizeof(int) == 4, "int");
  int n = __builtin_object_size(a, 0) == sizeof a;
  struct Aligned *y = __builtin_assume_aligned(x, 32);
  y->c = 1;
  __builtin_prefetch(a);
  if (n) give_up(n + 5);
  return 0;
}
