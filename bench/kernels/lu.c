/* An LU factorisation by two threads with a barrier after each column: about 100 million
 * accesses, each of them new in its segment. */
#include <pthread.h>
#include <stdlib.h>
enum { N = 420, T = 2 };
static double a[N][N];
static pthread_barrier_t b;
static void *part(void *arg) {
  long me = (long)arg;
  for (int k = 0; k < N; k++) {
    for (int i = k + 1 + (int)me; i < N; i += T) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < N; j++) a[i][j] -= a[i][k] * a[k][j];
    }
    pthread_barrier_wait(&b);
  }
  return arg;
}
int main(void) {
  pthread_t t[T];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) a[i][j] = i == j ? N : (i * 7 + j * 3) % 11;
  pthread_barrier_init(&b, 0, T);
  for (long i = 0; i < T; i++) pthread_create(&t[i], 0, part, (void *)i);
  for (int i = 0; i < T; i++) pthread_join(t[i], 0);
  return a[N - 1][N - 1] > 0 ? 0 : 1;
}
