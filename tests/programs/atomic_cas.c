/* Compare and exchange loops, weak and strong, with orders; a maximum, a stack of nodes,
   a ticket lock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 20 };

static atomic_int maximum, doubled = 1;
static _Atomic unsigned next_ticket, now_serving;
static int guarded;

struct Node {
  int v;
  struct Node *next;
};
static _Atomic(struct Node *) top;
static struct Node nodes[THREADS][ROUNDS];

static void raise_to(int v) {
  int old = atomic_load_explicit(&maximum, memory_order_relaxed);
  while (old < v && !atomic_compare_exchange_weak_explicit(
                        &maximum, &old, v, memory_order_acq_rel, memory_order_relaxed));
}

static void push(struct Node *n) {
  n->next = atomic_load(&top);
  while (!atomic_compare_exchange_weak(&top, &n->next, n));
}

static void with_ticket(int v) {
  unsigned mine = atomic_fetch_add(&next_ticket, 1);
  while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine);
  guarded += v;
  atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
}

static void *run(void *arg) {
  int id = *(int *)arg;
  for (int i = 0; i < ROUNDS; i++) {
    raise_to((i * 37 + id * 11) % 101);
    nodes[id][i].v = id * 100 + i;
    push(&nodes[id][i]);
    with_ticket(i);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  int id[THREADS];
  for (int i = 0; i < THREADS; i++) {
    id[i] = i;
    pthread_create(&t[i], NULL, run, &id[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  int count = 0, sum = 0, last[THREADS] = {1000, 1000, 1000}, order = 1;
  for (struct Node *n = top; n; n = n->next) {
    count++;
    sum += n->v;
    order &= n->v < last[n->v / 100];
    last[n->v / 100] = n->v;
  }
  printf("%d %d %d %d %d\n", atomic_load(&maximum), count, sum, order, guarded);
  int expect = 5;
  _Bool ok = atomic_compare_exchange_strong(&doubled, &expect, 8);
  printf("%d %d\n", ok, expect);
  do expect = doubled;
  while (!atomic_compare_exchange_weak(&doubled, &expect, expect * 2));
  printf("%d\n", atomic_load(&doubled));
  return 0;
}
