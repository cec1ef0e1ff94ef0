/* bad: the box is on the wrapper's stack, and the next call overwrites it (or another thread reads it while it is written). */
#include <pthread.h>
struct box { void (*f)(int); int a; };
int out[2];
static void f0(int a) { out[0] = a; }
static void f1(int a) { out[1] = a; }
static struct box shared;
static void *tramp(void *p) { struct box *b = p; b->f(b->a); return 0; }
static pthread_t start(void (*f)(int), int a) {
  pthread_t t;
  struct box *b = &shared;
  b->f = f; b->a = a;
  pthread_create(&t, 0, tramp, b);
  return t;
}
int main(void) { pthread_t s = start(f0, 1), t = start(f1, 2); pthread_join(s, 0); pthread_join(t, 0); return out[0]; }
