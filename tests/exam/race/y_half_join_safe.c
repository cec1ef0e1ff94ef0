/* safe: the first half of the threads is joined, and the first half of the array read. */
#include <pthread.h>
#define N 6
int r[N];
static void *w(void *p) { *(int *)p = 1; return 0; }
static void wait_for(pthread_t *t, int n) { for (int i = 0; i < n; i++) pthread_join(t[i], 0); }
int main(void) {
  pthread_t t[N]; int s = 0;
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, w, r + i);
  wait_for(t, N / 2);
  for (int i = 0; i < N / 2; i++) s += r[i];
  wait_for(t + N / 2, N - N / 2);
  return s;
}
