// all: race; assert fails
// A list that is built by main, walked by one thread and changed by another, through pointers in memory.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int value;
};

static struct node *head;

static void *changes(void *unused) {
  int which = __VERIFIER_nondet_int();
  struct node *n = head;
  for (int i = 0; n && i < 3; i++, n = n->next)
    if (i == which) n->value = 1000 + which;
  return unused;
}

static void *walks(void *unused) {
  int sum = 0;
  for (struct node *n = head; n; n = n->next) sum += n->value;
  assert(sum != 1002 + 0 + 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  for (int i = 2; i >= 0; i--) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->next = head;
    n->value = i;
    head = n;
  }
  pthread_create(&a, NULL, changes, NULL);
  pthread_create(&b, NULL, walks, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
