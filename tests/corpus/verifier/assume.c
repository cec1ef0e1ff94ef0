// race: safe — the assumption excludes the two threads from the same element
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int a[4];
static int left, right;

static void *use_left(void *arg) {
  a[left] = 1;
  return arg;
}

static void *use_right(void *arg) {
  a[right] = 2;
  return arg;
}

int main(void) {
  pthread_t x, y;
  left = __VERIFIER_nondet_int();
  right = __VERIFIER_nondet_int();
  __VERIFIER_assume(left >= 0 && left < 2);
  __VERIFIER_assume(right >= 2 && right < 4);
  pthread_create(&x, NULL, use_left, NULL);
  pthread_create(&y, NULL, use_right, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  return a[left] + a[right] - 3;
}
