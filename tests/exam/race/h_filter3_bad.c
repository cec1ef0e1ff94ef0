/* bad: one level too few. */
#include <pthread.h>
#include <stdatomic.h>
#define N 3
atomic_int level[N], victim[N]; int x;
static void *w(void *a) {
  int me = (int)(long)a;
  for (int l = 1; l < N - 1; l++) {
    atomic_store(&level[me], l); atomic_store(&victim[l], me);
    int busy;
    do {
      busy = 0;
      for (int k = 0; k < N; k++) if (k != me && atomic_load(&level[k]) >= l) busy = 1;
    } while (busy && atomic_load(&victim[l]) == me);
  }
  x++;
  atomic_store(&level[me], 0);
  return 0;
}
int main(void) { pthread_t t[N]; for (long i = 0; i < N; i++) pthread_create(&t[i], 0, w, (void *)i); for (int i = 0; i < N; i++) pthread_join(t[i], 0); return x; }
