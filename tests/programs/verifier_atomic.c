/* Atomic sections in the manner of the verification competition, with a shim for the
   native program. */
#include "verifier_shim.h"
#include <pthread.h>
#include <stdio.h>

static int counter, a, b, flag;

static void *count(void *arg) {
  for (int i = 0; i < *(int *)arg; i++) {
    __VERIFIER_atomic_begin();
    counter = counter + 1;
    __VERIFIER_atomic_end();
  }
  return NULL;
}

static void *swap(void *arg) {
  (void)arg;
  for (int i = 0; i < 11; i++) {
    __VERIFIER_atomic_begin();
    int t = a;
    a = b;
    b = t;
    if (a + b != 30) reach_error();
    __VERIFIER_atomic_end();
  }
  return NULL;
}

#ifdef HEDDLE_NATIVE
static void atomic_take(int *got) {
  __VERIFIER_atomic_begin();
  if (!flag) flag = *got = 1;
  __VERIFIER_atomic_end();
}
#else
/* A function of this name is an atomic section as a whole. */
static void __VERIFIER_atomic_take(int *got) {
  if (!flag) flag = *got = 1;
}
#define atomic_take __VERIFIER_atomic_take
#endif

static void *take(void *arg) {
  atomic_take(arg);
  return NULL;
}

int main(void) {
  pthread_t t[4];
  int n[2] = {30, 12}, got[2] = {0, 0};
  a = 10, b = 20;
  pthread_create(&t[0], NULL, count, &n[0]);
  pthread_create(&t[1], NULL, count, &n[1]);
  pthread_create(&t[2], NULL, swap, NULL);
  pthread_create(&t[3], NULL, swap, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  __VERIFIER_assume(counter > 0);
  printf("%d %d %d\n", counter, a, b);
  pthread_create(&t[0], NULL, take, &got[0]);
  pthread_create(&t[1], NULL, take, &got[1]);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  printf("%d %d\n", got[0] + got[1], flag);
  return 0;
}
