/* Locks along a list. */
#include "small.h"

struct node {
  Mutex lock;
  int v;
  struct node *next;
} n[3];
static void *walk(void *p) {
  struct node *at = &n[0];
  lock(&at->lock);
  while (at->next) {
    struct node *to = at->next;
    if (RACY) {
      unlock(&at->lock);
      to->v++;
      lock(&to->lock);
    } else {
      lock(&to->lock);
      unlock(&at->lock);
      to->v++;
    }
    at = to;
  }
  unlock(&at->lock);
  return p;
}
int main(void) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_init(&n[i].lock, 0);
    n[i].next = i < 2 ? &n[i + 1] : 0;
  }
  pthread_t x = start(walk, 0), y = start(walk, 0);
  finish(x);
  finish(y);
  return 0;
}
