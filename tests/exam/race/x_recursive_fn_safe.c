/* safe: a tree of threads; each joins its children before it adds their sums. */
#include <pthread.h>
struct job { int depth; int sum; };
static void *run(void *p) {
  struct job *j = p;
  j->sum = 1;
  if (j->depth == 0) return 0;
  struct job l = { j->depth - 1, 0 }, r = { j->depth - 1, 0 };
  pthread_t a, b;
  pthread_create(&a, 0, run, &l); pthread_create(&b, 0, run, &r);
  pthread_join(a, 0);
  pthread_join(b, 0);
  j->sum += l.sum + r.sum;
  return 0;
}
int main(void) { struct job j = { 2, 0 }; run(&j); return j.sum; }
