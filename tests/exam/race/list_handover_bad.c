/* bad: the peek keeps a pointer beyond the unlock and writes through it. */
#include <pthread.h>
#include <stdlib.h>
struct n { int v; struct n *next; };
struct n *freel; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct n *take(void) { pthread_mutex_lock(&m); struct n *x = freel; if (x) freel = x->next; pthread_mutex_unlock(&m); return x; }
static void give(struct n *x) { pthread_mutex_lock(&m); x->next = freel; freel = x; pthread_mutex_unlock(&m); }
static void *w(void *p) {
  struct n *x = take();
  if (!x) return 0;
  give(x);
  x->v++;
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 2; i++) { struct n *x = malloc(sizeof *x); if (!x) abort(); x->v = 0; give(x); }
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
