/* A list to which threads add nodes. */
#include "small.h"

Mutex m = MUTEX;
struct node {
  struct node *next;
  int v;
} *head;
static void *push(void *p) {
  struct node *n = malloc(sizeof *n);
  n->v = 1;
  if (!RACY) lock(&m);
  n->next = head;
  head = n;
  if (!RACY) unlock(&m);
  return p;
}
int main(void) {
  for (int i = 0; i < 4; i++) pthread_detach(start(push, 0));
  pthread_exit(0);
}
