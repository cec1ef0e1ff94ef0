// race: safe — nodes are pushed with compare and exchange; the list is read after the joins
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  int value;
};

static _Atomic(struct Node *) top;

static void *push(void *arg) {
  struct Node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->value = *(int *)arg;
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &n->next, n)) {}
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2, sum = 0;
  pthread_create(&a, NULL, push, &one);
  pthread_create(&b, NULL, push, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  for (struct Node *n = atomic_load(&top); n; n = n->next) sum += n->value;
  return sum - 3;
}
