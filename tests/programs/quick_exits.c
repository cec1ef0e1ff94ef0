/* _Exit ends at once: no atexit handlers, status modulo 256. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void never(void) {
  printf("never\n");
}

int main(void) {
  atexit(never);
  printf("flushed\n");
  fflush(stdout);
  _Exit(300 & 0xff);
}
