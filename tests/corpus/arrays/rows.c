// race: safe — one row of the matrix for each thread
#include <pthread.h>

#define N 3
static int matrix[N][N], row_sum[N];

static void *add_row(void *arg) {
  long r = (long)arg;
  for (int c = 0; c < N; c++) {
    matrix[r][c] += (int)r;
    row_sum[r] += matrix[r][c];
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long r = 0; r < N; r++) pthread_create(&t[r], NULL, add_row, (void *)r);
  for (int r = 0; r < N; r++) pthread_join(t[r], NULL);
  return row_sum[0] + row_sum[1] + row_sum[2] - 9;
}
