/* setjmp and longjmp: not modelled, so exec must stop with a clear message at the call. */
#include <setjmp.h>
#include <stdio.h>

static jmp_buf out;

static void fail(int code) { longjmp(out, code); }

int main(void) {
  int code = setjmp(out);
  if (code == 0)
    fail(7);
  printf("came back with %d\n", code);
  return 0;
}
