/* bad: the second consumer gets the first one's item as well. */
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
struct item { int v; } *blk; atomic_int nx;
static void *c(void *p) {
  int i = atomic_fetch_add(&nx, 1);
  if (i >= 2) return 0;
  struct item *it = blk + i;
  it->v++;
  if (i > 0) it[-1].v++;
  return 0;
}
int main(void) {
  pthread_t s, t; blk = calloc(2, sizeof *blk);
  if (!blk) return 1;
  pthread_create(&s, 0, c, 0); pthread_create(&t, 0, c, 0); pthread_join(s, 0); pthread_join(t, 0);
  return 0;
}
