/* Empty inline assembly with several operands: each keeps its value, whatever happens to the
 * variable behind. */
#include <stdio.h>

int main(void) {
  int x = 5, *p = &x, made;
  long y = 6;
  char c = 7;
  double d = 1.5;
  __asm__("" : "+r"(x), "+r"(y));
  __asm__ volatile("" : "+r"(c) : : "memory");
  __asm__("" : "+x"(d));
  __asm__("" : "+r"(p), "+m"(y), "+r"(x) : "r"(y));
  __asm__("" : "=r"(made) : "0"(x + 1));
  int old = x;
  __asm__("" : "+r"(old));
  int copy = old;
  old = x = 9;
  printf("%d %ld %d %g %d %d %d %d\n", x, y, c, d, *p, made, old, copy);
  return 0;
}
