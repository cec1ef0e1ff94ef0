// race: unsafe lines 14 37 — for one number the list is a circle: its first thread is joined twice, and another one never
#include <pthread.h>
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
  pthread_t id;
  struct node *next;
};
static int x;

static void *work(void *arg) {
  if (arg) x++;
  return NULL;
}

int main(void) {
  int odd = __VERIFIER_nondet_uint() * 2654435761u == 123456789u;
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) exit(1);
  pthread_create(&a->id, NULL, work, NULL);
  pthread_create(&b->id, NULL, work, odd ? &x : NULL);
  a->next = odd ? a : b;
  b->next = NULL;
  struct node *node = a;
  for (int i = 0; i < 2; i++) {
    struct node *next = node->next;
    pthread_join(node->id, NULL);
    if (!odd) free(node);
    node = next;
  }
  if (!odd) {
    x = 0;
    return 0;
  }
  x++;
  return 0;
}
