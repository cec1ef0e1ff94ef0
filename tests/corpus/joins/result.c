// race: safe — the thread hands its heap result to whoever joins it
#include <pthread.h>
#include <stdlib.h>

static void *compute(void *arg) {
  int n = *(int *)arg;
  int *result = malloc(sizeof *result);
  if (!result) exit(1);
  *result = n * n;
  return result;
}

int main(void) {
  pthread_t a, b;
  int three = 3, four = 4;
  void *x, *y;
  pthread_create(&a, NULL, compute, &three);
  pthread_create(&b, NULL, compute, &four);
  pthread_join(a, &x);
  pthread_join(b, &y);
  int sum = *(int *)x + *(int *)y;
  free(x);
  free(y);
  return sum - 25;
}
