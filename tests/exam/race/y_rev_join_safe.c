/* safe: the threads are joined from the last to the first, all. */
#include <pthread.h>
#define N 5
int r[N];
static void *w(void *p) { *(int *)p = 1; return 0; }
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, w, &r[i]);
  for (int i = N - 1; i >= 0; i--) pthread_join(t[i], 0);
  return r[0] + r[4];
}
