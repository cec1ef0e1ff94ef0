/* bad: the winner completes the object behind the CAS. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct cfg { int a, b; };
_Atomic(struct cfg *) g;
static struct cfg *get(void) {
  struct cfg *p = atomic_load(&g);
  if (p) return p;
  struct cfg *n = malloc(sizeof *n);
  if (!n) abort();
  n->a = 1;
  p = NULL;
  if (!atomic_compare_exchange_strong(&g, &p, n)) { free(n); return p; }
  n->b = 2;
  return n;
}
static void *w(void *a) { struct cfg *c = get(); return (void *)(long)(c->a + c->b); }
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, w, 0); }
