// race: unsafe lines 8 13 — one thread counts the cells of the matrix through, the other uses rows
#include <pthread.h>

static int grid[2][3];

static void *flat(void *arg) {
  int *cells = &grid[0][0];
  cells[4] = 1;
  return arg;
}

static void *by_row(void *arg) {
  grid[1][1] = 2;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, flat, NULL);
  pthread_create(&b, NULL, by_row, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return grid[1][1] == 0;
}
