// assert: open — … what was allocated
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  if (!p) return 0;
  assert(*p == 0);
  return 0;
}
