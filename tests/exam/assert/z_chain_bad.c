/* bad: the fourth does not wait. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define N 6
atomic_int f[N];
static void *w(void *p) {
  int i = (int)(long)p;
  if (i && i != 3 && !atomic_load(&f[i - 1])) return 0;
  atomic_store(&f[i], 1);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, w, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  if (atomic_load(&f[N - 1])) for (int i = 0; i < N; i++) assert(atomic_load(&f[i]));
  return 0;
}
