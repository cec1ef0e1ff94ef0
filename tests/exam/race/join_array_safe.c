/* safe: every worker is joined before the results are added up. */
#include <pthread.h>
#define N 4
int part[N], total;
static void *w(void *p) { int *r = p; *r = 10; return 0; }
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, w, &part[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) total += part[i];
  return total;
}
