// race: unsafe lines 13 — mutual recursion between functions, the counter without a lock
#include <pthread.h>

static int calls;

static int is_odd(int n);

static int is_even(int n) {
  return n == 0 ? 1 : is_odd(n - 1);
}

static int is_odd(int n) {
  calls++;
  return n == 0 ? 0 : is_even(n - 1);
}

static void *ask(void *arg) {
  int *n = arg;
  *n = is_even(*n);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int three = 3, four = 4;
  pthread_create(&a, NULL, ask, &three);
  pthread_create(&b, NULL, ask, &four);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return three + four > 2;
}
