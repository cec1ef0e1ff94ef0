/* atexit handlers run last in, first out; a handler registers another; exit deep in a
   recursion. */
#include <stdio.h>
#include <stdlib.h>

static int count;

static void a(void) {
  printf("a %d\n", ++count);
}
static void late(void) {
  printf("late %d\n", ++count);
}
static void b(void) {
  printf("b %d\n", ++count);
  atexit(late);
}
static void c(void) {
  printf("c %d\n", ++count);
}

static int deep(int n) {
  if (n == 0) exit(42);
  return deep(n - 1) + 1;
}

int main(void) {
  atexit(a);
  atexit(b);
  atexit(a);
  if (atexit(c) != 0) return 1;
  printf("no newline at the end");
  fflush(stdout);
  printf("\n");
  deep(20);
  printf("not reached\n");
  return 0;
}
