/* Inline assembly: cannot be interpreted, so exec must stop with a clear message at its
   line. */
#include <stdio.h>

int main(void) {
  int v = 20;
  __asm__("addl $1, %0" : "+r"(v));
  printf("%d\n", v);
  return 0;
}
