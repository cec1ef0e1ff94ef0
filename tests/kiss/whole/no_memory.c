// assert: open — malloc may fail
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  assert(p != NULL);
  return 0;
}
