/* Waiting for bytes from a pipe is not modelled, so exec must stop at the call and name it. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char c = 'x';
  if (pipe(ends) || write(ends[1], &c, 1) != 1 || read(ends[0], &c, 1) != 1) return 1;
  printf("%c\n", c);
  return read(ends[0], &c, 1) != 1;
}
