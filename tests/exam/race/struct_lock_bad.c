/* bad: the transfer holds the lock of `from` only. */
#include <pthread.h>
#include <stdlib.h>
struct acct { pthread_mutex_t m; int bal; };
struct acct *A, *B;
static struct acct *mk(int v) { struct acct *a = malloc(sizeof *a); if (!a) abort(); pthread_mutex_init(&a->m, 0); a->bal = v; return a; }
static void xfer(struct acct *from, struct acct *to, int n) {
  pthread_mutex_lock(&from->m);
  from->bal -= n;
  to->bal += n;
  pthread_mutex_unlock(&from->m);
}
static void *w1(void *p) { xfer(A, B, 5); return 0; }
static void *w2(void *p) { xfer(B, A, 3); return 0; }
int main(void) {
  pthread_t a, b;
  A = mk(10); B = mk(20);
  pthread_create(&a, 0, w1, 0); pthread_create(&b, 0, w2, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return A->bal;
}
