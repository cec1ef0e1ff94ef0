// race: unsafe lines 14 25 — the reader is counted too late
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node {
  int v;
};
static _Atomic(struct node *) cur;
static atomic_int readers;
void *reader(void *x) {
  (void)x;
  struct node *n = atomic_load(&cur);
  atomic_fetch_add(&readers, 1);
  int v = n->v;
  atomic_fetch_sub(&readers, 1);
  return (void *)(long)v;
}
void *writer(void *x) {
  (void)x;
  struct node *n = malloc(sizeof *n);
  n->v = 2;
  struct node *old = atomic_exchange(&cur, n);
  while (atomic_load(&readers)) {
  }
  free(old);
  return 0;
}
int main(void) {
  pthread_t a, b;
  struct node *n = malloc(sizeof *n);
  n->v = 1;
  atomic_store(&cur, n);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
