// assert: unsafe — which of two blocks lies behind the other is up to the library
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  void *first = malloc(4), *second = malloc(4);
  if (!first || !second) return 0;
  assert((uintptr_t)first < (uintptr_t)second || (uintptr_t)first % 4096 != 0);
  return 0;
}
