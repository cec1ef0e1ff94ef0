// race: unsafe lines 15 17 — a popped node is freed while another popper still reads its successor
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
};

static _Atomic(struct Node *) top;

static void *pop(void *arg) {
  struct Node *n = atomic_load(&top);
  while (n) {
    struct Node *next = n->next;
    if (atomic_compare_exchange_strong(&top, &n, next)) {
      free(n);
      break;
    }
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++) {
    struct Node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->next = atomic_load(&top);
    atomic_store(&top, n);
  }
  pthread_create(&a, NULL, pop, NULL);
  pthread_create(&b, NULL, pop, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
