/* bad: all are read, and one that succeeded is not joined. */
#include <pthread.h>
#define N 3
int r[N], ok[N];
static void *w(void *p) { *(int *)p = 1; return 0; }
int main(void) {
  pthread_t t[N]; int s = 0;
  for (int i = 0; i < N; i++) ok[i] = pthread_create(&t[i], 0, w, &r[i]) == 0;
  for (int i = 0; i < N; i++) if (ok[i] && i != 1) pthread_join(t[i], 0);
  for (int i = 0; i < N; i++) s += r[i];
  return s;
}
