/* A library function without a model (fork): exec must stop at the call and name the
   function. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  printf("before\n");
  fflush(stdout);
  if (fork() == 0) _exit(0);
  printf("after\n");
  return 0;
}
