// race: safe — main waits until the thread that clone starts has said that it is done
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

static int count;
static atomic_int done;

static int work(void *arg) {
  count++;
  atomic_store(&done, 1);
  return arg != 0;
}

int main(void) {
  enum { STACK = 65536 };
  char *stack = malloc(STACK);
  if (!stack) return 1;
  count++;
  if (clone(work, stack + STACK, CLONE_VM | SIGCHLD, 0) < 0) return 1;
  while (!atomic_load(&done)) {
  }
  count++;
  return 0;
}
