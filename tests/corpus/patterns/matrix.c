// race: safe — a product of matrices, one row for each thread, the factors only read
#include <pthread.h>

#define N 2
static int left[N][N] = {{1, 2}, {3, 4}}, right[N][N] = {{5, 6}, {7, 8}}, product[N][N];

static void *row(void *arg) {
  long i = (long)arg;
  for (int j = 0; j < N; j++)
    for (int k = 0; k < N; k++) product[i][j] += left[i][k] * right[k][j];
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, row, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return product[0][0] + product[1][1] - 69;
}
