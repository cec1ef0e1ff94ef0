/* Two threads push to the front of a list. */
#include "small.h"

typedef struct Node {
  struct Node *next;
} Node;
Node *first;
Mutex m = MUTEX;
static void *work(void *a) {
  for (int i = 0; i < 5; i++) {
    Node *n = malloc(sizeof *n);
    if (!RACY) lock(&m);
    n->next = first;
    first = n;
    if (!RACY) unlock(&m);
  }
  return a;
}
int main(void) {
  pthread_t t = start(work, NULL), u = start(work, NULL);
  finish(t);
  finish(u);
  return 0;
}
