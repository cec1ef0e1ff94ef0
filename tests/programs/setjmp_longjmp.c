/* setjmp and longjmp: out of nested calls, retried, as exceptions with a chain of
   handlers, value 0. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf out;
static int depth_reached;

static void fail(int code) {
  longjmp(out, code);
}

static void dig(int n) {
  int here[8] = {n};
  depth_reached = here[0];
  if (n == 12) fail(n + 30);
  if (n > 20) return;
  dig(n + 1);
}

/* Exceptions: each try links its buffer to the one outside. */
struct Handler {
  jmp_buf at;
  struct Handler *outer;
};
static struct Handler *current;
static int thrown;

static void throw_(int what) {
  if (!current) {
    printf("uncaught %d\n", what);
    exit(5);
  }
  struct Handler *h = current;
  current = h->outer;
  thrown = what;
  longjmp(h->at, 1);
}

static int attempt(int n) {
  struct Handler h = {.outer = current};
  current = &h;
  if (setjmp(h.at) == 0) {
    if (n > 0) attempt(n - 1);
    throw_(n * 10 + 1);
  }
  printf("level %d caught %d\n", n, thrown);
  if (n == 2) throw_(77);
  return thrown;
}

int main(void) {
  int code = setjmp(out);
  if (code == 0) dig(0);
  printf("came back with %d from %d\n", code, depth_reached);

  volatile int tries = 0;
  switch (setjmp(out)) {
  case 0: printf("first\n"); break;
  case 1: printf("again\n"); break;
  default: printf("enough\n"); goto done;
  }
  tries++;
  fail(tries < 3 ? 1 : 2);
done:
  printf("%d tries\n", tries);
  if (setjmp(out) != 0)
    printf("zero comes as one\n");
  else
    fail(0);
  printf("%d\n", attempt(3));
  throw_(4);
  return 0;
}
