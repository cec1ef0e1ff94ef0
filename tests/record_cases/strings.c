/* Functions of the C library access memory like code of the program.
 * TRACE: main.1 write copied\[0\] 6
 * TRACE: main.1 read source\[0\] 6
 * TRACE: main.1 write moved\[0\] 16
 * TRACE: main.1 write filled\[0\] 16
 * TRACE: main.1 write received\[0\] 4
 * TRACE: main.1 read compared
 * TRACE: main.1 write appended\[2\] 3 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Alignas(64) char source[8];
_Alignas(64) char copied[8];
_Alignas(64) char moved[16];
_Alignas(64) char filled[16];
_Alignas(64) char received[8];
_Alignas(64) char compared[8];
_Alignas(64) char appended[8];
volatile size_t all = 16;
int pipes[2];

static void *worker(void *a) {
  strcpy(copied, source);
  memmove(moved, filled, all);
  memset(filled, 1, all);
  if (write(pipes[1], "data", 4) != 4 || read(pipes[0], received, 8) != 4) abort();
  strcat(appended, compared);
  return a;
}

int main(void) {
  pthread_t t;
  strcpy(source, "hello");
  strcpy(compared, "cd");
  strcpy(appended, "ab");
  if (pipe(pipes)) abort();
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  printf("%s %s %.4s %d\n", copied, appended, received, filled[15]);
  return strlen(copied) == 5 ? 0 : 1;
}
