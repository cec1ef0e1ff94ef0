/* Recursion tens of thousands deep, with locals whose addresses travel down. */
#include <stdio.h>

struct Frame {
  struct Frame *up;
  int n;
};

static long sum(struct Frame *up, int n) {
  struct Frame here = {up, n};
  if (n == 0) {
    long s = 0;
    for (struct Frame *f = &here; f; f = f->up) s += f->n;
    return s;
  }
  return sum(&here, n - 1);
}

static unsigned count(unsigned n) {
  return n == 0 ? 0 : 1 + count(n - 1);
}

int main(void) {
  printf("%ld\n", sum(NULL, 20000));
  printf("%u\n", count(50000));
  return 0;
}
