/* bad: malloc gives anything. */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
static void *w(void *p) { int *q = p; assert(*q == 0); return 0; }
int main(void) {
  pthread_t t;
  int *q = malloc(sizeof *q);
  if (!q) return 0;
  pthread_create(&t, 0, w, q); pthread_join(t, 0);
  return 0;
}
