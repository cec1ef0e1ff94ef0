// race: unsafe lines 11 21 — the lock is chosen by the column, the cell by row and column of two views
#include <pthread.h>

static int grid[2][2];
static pthread_mutex_t lock[2];

static void *by_column(void *arg) {
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++) {
      pthread_mutex_lock(&lock[c]);
      grid[r][c]++;
      pthread_mutex_unlock(&lock[c]);
    }
  return arg;
}

static void *by_row(void *arg) {
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++) {
      pthread_mutex_lock(&lock[r]);
      grid[r][c]++;
      pthread_mutex_unlock(&lock[r]);
    }
  return arg;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++) pthread_mutex_init(&lock[i], NULL);
  pthread_create(&a, NULL, by_column, NULL);
  pthread_create(&b, NULL, by_row, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return grid[0][1] > 2;
}
