/* bad: load and store may give one index to two threads. */
#include <pthread.h>
#include <stdatomic.h>
#define N 6
atomic_int next; int a[N];
static void *w(void *p) {
  for (;;) {
    int i = atomic_load(&next); atomic_store(&next, i + 1);
    if (i >= N) break;
    a[i] = i * 2;
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, w, 0); pthread_create(&t[1], 0, w, 0);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  return a[N - 1];
}
