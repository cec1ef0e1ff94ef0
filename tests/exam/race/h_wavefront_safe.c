/* safe: stage i waits for stage i-1, and each cell is written by its stage and read by the next. */
#include <pthread.h>
#include <stdatomic.h>
#define N 4
atomic_int done[N]; int cell[N];
static void *st(void *a) {
  int i = (int)(long)a;
  if (i > 0) while (!atomic_load(&done[i - 1])) ;
  cell[i] = i > 0 ? cell[i - 1] + 1 : 1;
  atomic_store(&done[i], 1);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, st, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return cell[N - 1];
}
