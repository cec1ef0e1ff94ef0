// assert: open — … an element
#include <assert.h>

int main(void) {
  int a[4];
  a[0] = 0;
  assert(a[1] == 0);
  return 0;
}
