/* Computed goto: a threaded-code interpreter, label tables, label differences. */
#include <stdio.h>

enum { PUSH, ADD, TIMES, DUP, SWAP, DEC, JNZ, PRINT, HALT };

static int run(const int *code) {
  static const void *const labels[] = {&&push, &&add, &&times, &&dup, &&swap,
                                       &&dec,  &&jnz, &&print, &&halt};
  int stack[32], sp = 0, pc = 0, steps = 0;
#define NEXT                                                                             \
  steps++;                                                                               \
  goto *labels[code[pc++]]
  NEXT;
push:
  stack[sp++] = code[pc++];
  NEXT;
add:
  sp--;
  stack[sp - 1] += stack[sp];
  NEXT;
times:
  stack[sp - 2] *= stack[sp - 1];
  NEXT;
dup:
  stack[sp] = stack[sp - 1];
  sp++;
  NEXT;
swap: {
  int t = stack[sp - 1];
  stack[sp - 1] = stack[sp - 2];
  stack[sp - 2] = t;
}
  NEXT;
dec:
  stack[sp - 1]--;
  NEXT;
jnz:
  if (stack[sp - 1])
    pc = code[pc];
  else
    pc++;
  NEXT;
print:
  printf("%d\n", stack[--sp]);
  NEXT;
halt:
  return steps;
}

static int relative(int which) {
  static const int offset[] = {&&a - &&a, &&b - &&a, &&c - &&a};
  goto *(&&a + offset[which]);
a:
  return 100;
b:
  return 200;
c:
  return 300;
}

static int machine(const char *s) {
  void *state = &&even;
  for (;; s++) {
    if (!*s) return state == &&even;
    goto *state;
  even:
    if (*s == '1') state = &&odd;
    continue;
  odd:
    if (*s == '1') state = &&even;
    continue;
  }
}

int main(void) {
  /* The factorial of 6: the product below, the counter on top. */
  const int code[] = {PUSH,  1,    PUSH, 6,   TIMES, DEC, JNZ,  4,     PRINT, DUP,
                      PRINT, PUSH, 3,    ADD, PUSH,  2,   SWAP, PRINT, PRINT, HALT};
  printf("%d\n", run(code));
  const int loop[] = {PUSH, 10, DUP, PRINT, DEC, JNZ, 2, HALT};
  printf("%d\n", run(loop));
  printf("%d %d %d\n", relative(0), relative(1), relative(2));
  printf("%d %d %d\n", machine("1010"), machine("111"), machine(""));
  return 0;
}
