/* safe: where the creation succeeded there is a join; results of these only are read. */
#include <pthread.h>
#define N 3
int r[N], ok[N];
static void *w(void *p) { *(int *)p = 1; return 0; }
int main(void) {
  pthread_t t[N]; int s = 0;
  for (int i = 0; i < N; i++) ok[i] = pthread_create(&t[i], 0, w, &r[i]) == 0;
  for (int i = 0; i < N; i++) if (ok[i]) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) s += r[i];
  return s;
}
