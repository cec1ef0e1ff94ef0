/* safe: each of 5 threads adds one to its own cell; the sum is 5. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define N 5
int cell[N]; atomic_int idx;
static void *w(void *p) {
  int k = atomic_fetch_add(&idx, 1);
  cell[k] = 1;
  return 0;
}
int main(void) {
  pthread_t t[N]; int s = 0;
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) s += cell[i];
  assert(s == N);
  return 0;
}
