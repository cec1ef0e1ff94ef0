/* safe: three nodes of 1 each, pushed under the lock: the sum is 3. */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct n { int v; struct n *next; } *head; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *p) {
  struct n *x = malloc(sizeof *x);
  if (!x) abort();
  x->v = 1;
  pthread_mutex_lock(&m);
  x->next = head;
  head = x;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[3]; int s = 0;
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  for (struct n *x = head; x; x = x->next) s += x->v;
  assert(s == 3);
  return 0;
}
