// assert: unsafe; deadlock: safe — the assertion stands on the second way, by the compiler's own jump
#include <assert.h>

static void *back[5];
static int steps;

static __attribute__((noinline)) void leave(void) {
  __builtin_longjmp(back, 1);
}

int main(void) {
  if (__builtin_setjmp(back) == 0) {
    steps = 1;
    leave();
  } else {
    assert(steps == 0);
  }
  return 0;
}
