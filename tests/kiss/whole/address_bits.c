// assert: open — nobody knows where a variable lies
#include <assert.h>
#include <stdint.h>

static int x;
int main(void) {
  assert(((uintptr_t)&x >> 12) % 2 == 0);
  return 0;
}
