// race: unsafe lines 11 12 — the product is made in place: a row that others still read is written
#include <pthread.h>

#define N 2
static int left[N][N] = {{1, 2}, {3, 4}}, right[N][N] = {{5, 6}, {7, 8}};

static void *row(void *arg) {
  long i = (long)arg;
  for (int j = 0; j < N; j++) {
    int sum = 0;
    for (int k = 0; k < N; k++) sum += left[i][k] * right[k][j];
    right[i][j] = sum;
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, row, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return right[0][0] == 0;
}
