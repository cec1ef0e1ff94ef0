/* Own synchronisation by a pipe, told by annotations: no race is predicted.
 * TRACE: main happens-before
 * TRACE: main.1 happens-after
 * RUN: 0 */
#include "heddle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int pipes[2], data;

static void *worker(void *a) {
  char byte;
  if (read(pipes[0], &byte, 1) != 1) abort();
  ANNOTATE_HAPPENS_AFTER(pipes);
  data++;
  return a;
}

int main(void) {
  pthread_t t;
  if (pipe(pipes)) abort();
  pthread_create(&t, NULL, worker, NULL);
  data = 1;
  HEDDLE_HAPPENS_BEFORE(pipes);
  if (write(pipes[1], "x", 1) != 1) abort();
  pthread_join(t, NULL);
  printf("%d\n", data);
  return 0;
}
