/* safe: threads started through a wrapper with a boxed function; each box is the thread's own. */
#include <pthread.h>
#include <stdlib.h>
struct box { void (*f)(int); int a; };
int out[2];
static void f0(int a) { out[0] = a; }
static void f1(int a) { out[1] = a; }
static void *tramp(void *p) { struct box *b = p; b->f(b->a); return 0; }
static pthread_t start(void (*f)(int), int a) {
  pthread_t t;
  struct box *b = malloc(sizeof *b);
  if (!b) abort();
  b->f = f; b->a = a;
  pthread_create(&t, 0, tramp, b);
  return t;
}
int main(void) { pthread_t s = start(f0, 1), t = start(f1, 2); pthread_join(s, 0); pthread_join(t, 0); return out[0]; }
