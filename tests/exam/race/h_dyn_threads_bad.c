/* bad: parts overlap by one. */
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct arg { int *base; int len; };
static void *w(void *p) { struct arg *a = p; for (int i = 0; i < a->len; i++) a->base[i] = i; return 0; }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) abort();
  int *d = malloc((n * 8 + 1) * sizeof *d); struct arg *a = malloc(n * sizeof *a); pthread_t *t = malloc(n * sizeof *t);
  if (!d || !a || !t) abort();
  for (int i = 0; i < n; i++) {
    a[i].base = d + i * 8;
    a[i].len = 9;
    pthread_create(&t[i], 0, w, &a[i]);
  }
  for (int i = 0; i < n; i++) pthread_join(t[i], 0);
  return d[0];
}
