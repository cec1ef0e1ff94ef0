/* Thread-local variables across files: extern, defined elsewhere, reached by functions of
   both. */
#include <pthread.h>
#include <stdio.h>

extern __thread int errors;
extern _Thread_local const char *last;
extern __thread struct Stack {
  int depth, item[8];
} stack;
void fail(const char *what);
int *errors_address(void);
void push(int v);
int pop(void);

static void *run(void *arg) {
  int n = *(int *)arg;
  for (int i = 0; i < n; i++) fail(i % 2 ? "odd" : "even");
  for (int i = 0; i < 5; i++) push(i * n);
  int r = pop() + pop() * 10;
  errors += 100;
  printf("%d", 0 * r);
  *(int *)arg = *errors_address() * 1000 + r + stack.depth + (last[0] == 'o');
  return NULL;
}

int main(void) {
  pthread_t t[3];
  int n[3] = {2, 3, 4};
  fail("main");
  push(9);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, run, &n[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  printf("\n%d %d %d\n", n[0], n[1], n[2]);
  printf("%d %s %d %d\n", errors, last, pop(), errors_address() == &errors);
  return 0;
}
