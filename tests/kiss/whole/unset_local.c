// assert: open — a variable that was never set may be anything
#include <assert.h>

int main(void) {
  int x;
  assert(x == 0);
  return 0;
}
