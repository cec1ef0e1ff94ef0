// race: unsafe lines 11 20 — clone starts a thread that shares all memory
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static int count;

static int work(void *arg) {
  count++;
  return arg != 0;
}

int main(void) {
  enum { STACK = 65536 };
  char *stack = malloc(STACK);
  if (!stack) return 1;
  int id = clone(work, stack + STACK, CLONE_VM | SIGCHLD, 0);
  count++;
  return id > 0 && waitpid(id, 0, 0) < 0;
}
