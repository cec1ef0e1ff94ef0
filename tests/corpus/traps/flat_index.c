// race: safe — counted through or by rows, the two cells are different
#include <pthread.h>

static int grid[2][3];

static void *flat(void *arg) {
  int *cells = &grid[0][0];
  cells[3] = 1;
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
  return grid[1][0] + grid[1][1] - 3;
}
