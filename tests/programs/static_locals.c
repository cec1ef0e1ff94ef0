/* Static locals: counters, several of one name, arrays, initialised once, addresses
   handed out. */
#include <stdio.h>

static int counter(void) {
  static int n = 10;
  return n++;
}
static int other(void) {
  static int n;
  {
    static int n = 100;
    n += 7;
    if (n > 120) return n;
  }
  return ++n;
}
static int *cell(int i) {
  static int cells[4] = {1, 2, 3};
  return &cells[i];
}
static const char *binary(unsigned v) {
  static char buf[33];
  char *p = buf + 32;
  *p = 0;
  do *--p = (char)('0' + (v & 1));
  while (v >>= 1);
  return p;
}
static unsigned long fib(int n) {
  static unsigned long memo[94] = {[1] = 1};
  if (n < 2 || memo[n]) return memo[n];
  return memo[n] = fib(n - 1) + fib(n - 2);
}
static int chain(void) {
  static int target = 5, *p = &target, **pp = &p;
  **pp += 2;
  return target;
}
static unsigned next(void) {
  static unsigned state = 1;
  return state = state * 1103515245u + 12345u;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    int a = counter();
    printf("%d %d\n", a, other());
  }
  for (int i = 0; i < 4; i++) *cell(i) *= 5;
  *cell(3) = *cell(0) + *cell(1);
  printf("%d %d\n", *cell(2), *cell(3));
  printf("%s ", binary(10));
  printf("%s ", binary(255));
  printf("%s\n", binary(0));
  printf("%lu %lu\n", fib(90), fib(50));
  printf("%d ", chain());
  printf("%d\n", chain());
  unsigned x = 0;
  for (int i = 0; i < 1000; i++) x ^= next() >> (i % 16);
  printf("%u\n", x);
  return counter();
}
