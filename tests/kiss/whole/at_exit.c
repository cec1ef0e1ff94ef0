// assert: open — what runs at the end
#include <assert.h>
#include <stdlib.h>

static void last(void) {
  assert(0);
}

int main(void) {
  atexit(last);
  return 0;
}
