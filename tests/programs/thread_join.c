/* Threads: create and join with arguments and return values, structs through the
   argument, recursion. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct Job {
  int from, to;
  long sum;
};

static void *work(void *arg) {
  struct Job *j = arg;
  for (int i = j->from; i < j->to; i++) j->sum += (long)i * i;
  return j;
}

static void *number(void *arg) {
  return (void *)((intptr_t)arg * 2 + 1);
}

static void *allocate(void *arg) {
  int *p = malloc(sizeof *p);
  *p = *(int *)arg * 10;
  return p;
}

/* Each call starts a thread for the left half and does the right half itself. */
static void *fib(void *arg) {
  intptr_t n = (intptr_t)arg;
  if (n < 2) return (void *)n;
  pthread_t left;
  void *l;
  pthread_create(&left, NULL, fib, (void *)(n - 1));
  intptr_t r = (intptr_t)fib((void *)(n - 2));
  pthread_join(left, &l);
  return (void *)((intptr_t)l + r);
}

static void *leaves(void *arg) {
  int *p = arg;
  *p += 5;
  pthread_exit(p + 1);
}

int main(void) {
  struct Job jobs[4];
  pthread_t t[4];
  for (int i = 0; i < 4; i++) {
    jobs[i] = (struct Job){i * 25, (i + 1) * 25, 0};
    if (pthread_create(&t[i], NULL, work, &jobs[i])) return 1;
  }
  long total = 0;
  for (int i = 3; i >= 0; i--) {
    void *r;
    pthread_join(t[i], &r);
    total += ((struct Job *)r)->sum;
    printf("%d %d\n", i, r == &jobs[i]);
  }
  printf("%ld\n", total);
  void *r;
  pthread_create(&t[0], NULL, number, (void *)20);
  pthread_join(t[0], &r);
  printf("%ld\n", (long)(intptr_t)r);
  int seed = 7;
  pthread_create(&t[0], NULL, allocate, &seed);
  pthread_join(t[0], &r);
  printf("%d\n", *(int *)r);
  free(r);
  printf("%ld\n", (long)(intptr_t)fib((void *)7));
  int pair[2] = {1, 100};
  pthread_create(&t[0], NULL, leaves, pair);
  pthread_join(t[0], &r);
  printf("%d %d\n", pair[0], *(int *)r);
  pthread_create(&t[0], NULL, leaves, pair);
  pthread_join(t[0], NULL);
  return pair[0];
}
