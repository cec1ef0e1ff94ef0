/* bad: the index is taken with load and store, so two may share a cell and leave another 0. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define N 5
int cell[N]; atomic_int idx;
static void *w(void *p) {
  int k = atomic_load(&idx); atomic_store(&idx, k + 1);
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
