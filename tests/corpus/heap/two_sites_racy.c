// race: unsafe lines 14 — the second pointer is a copy of the first
#include <pthread.h>
#include <stdlib.h>

static int *make_cell(int x) {
  int *cell = malloc(sizeof *cell);
  if (!cell) exit(1);
  *cell = x;
  return cell;
}

static void *triple(void *arg) {
  int *cell = arg;
  *cell *= 3;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int *x = make_cell(2), *y = make_cell(5);
  free(y);
  y = x;
  pthread_create(&a, NULL, triple, x);
  pthread_create(&b, NULL, triple, y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  int sum = *x;
  free(x);
  return sum > 18;
}
