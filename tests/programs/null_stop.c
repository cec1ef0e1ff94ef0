/* A store through a null pointer: undefined, so exec must stop at the line instead of
   guessing. */
#include <stdio.h>

static void set(int *p) {
  *p = 1;
}

int main(int argc, char **argv) {
  (void)argv;
  int v = 0;
  set(&v);
  printf("%d\n", v);
  set(argc > 100 ? &v : NULL);
  return 0;
}
