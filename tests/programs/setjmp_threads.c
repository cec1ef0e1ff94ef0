/* setjmp in several threads at once, each with its own buffer in thread-local storage. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdio.h>

static __thread jmp_buf out;
static __thread int level;

static void dive(int n) {
  level++;
  sched_yield();
  if (n == 0) longjmp(out, level);
  dive(n - 1);
}

static void *run(void *arg) {
  int n = *(int *)arg;
  volatile int sum = 0;
  for (volatile int i = 0; i < 3; i++) {
    level = 0;
    int r = setjmp(out);
    if (r == 0) dive(n + i);
    sum += r;
  }
  *(int *)arg = sum;
  return NULL;
}

int main(void) {
  pthread_t t[3];
  int n[3] = {1, 5, 10};
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, run, &n[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  printf("%d %d %d\n", n[0], n[1], n[2]);
  return 0;
}
