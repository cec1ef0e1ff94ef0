// assert: safe — calloc clears
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = calloc(1, 4);
  if (!p) return 0;
  assert(*p == 0);
  return 0;
}
