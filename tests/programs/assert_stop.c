/* A failed assertion: exec must name the condition and its line. */
#include <assert.h>
#include <stdio.h>

static int check(int v) {
  assert(v < 5);
  return v;
}

int main(void) {
  for (int i = 0;; i++) printf("%d\n", check(i));
}
