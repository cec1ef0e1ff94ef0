// race: unsafe lines 10 11 — rows and columns are mixed up: every thread touches the diagonal's mirror
#include <pthread.h>

#define N 3
static int matrix[N][N];

static void *mirror(void *arg) {
  long r = (long)arg;
  for (int c = 0; c < N; c++) {
    matrix[r][c] += 1;
    matrix[c][r] += 1;
  }
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long r = 0; r < N; r++) pthread_create(&t[r], NULL, mirror, (void *)r);
  for (int r = 0; r < N; r++) pthread_join(t[r], NULL);
  return matrix[0][0] - 2;
}
