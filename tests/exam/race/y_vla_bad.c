/* bad: the row of all. */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static void *w(void *p) { int *r = p; r[0]++; return 0; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 2 || n > 5) return 0;
  int v[n][3]; pthread_t t[n];
  for (int i = 0; i < n; i++) v[i][0] = 0;
  for (int i = 0; i < n; i++) pthread_create(&t[i], 0, w, v[i / 2]);
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  return v[0][0];
}
