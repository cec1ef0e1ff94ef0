// assert: open — what the library calls
#include <assert.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  assert(a == b);
  return 0;
}

int main(void) {
  int a[2] = {2, 1};
  qsort(a, 2, sizeof *a, compare);
  return 0;
}
