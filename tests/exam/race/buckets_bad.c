/* bad: the number of entries is counted under the bucket's lock. */
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
#define B 3
struct e { int key; struct e *next; };
struct e *chain[B]; pthread_mutex_t lock[B]; 
int count;
static void insert(int key) {
  unsigned h = (unsigned)key % B;
  struct e *n = malloc(sizeof *n);
  if (!n) return;
  n->key = key;
  pthread_mutex_lock(&lock[h]);
  n->next = chain[h]; chain[h] = n;
  count++;
  pthread_mutex_unlock(&lock[h]);
}
static int has(int key) {
  unsigned h = (unsigned)key % B; int r = 0;
  pthread_mutex_lock(&lock[h]);
  for (struct e *n = chain[h]; n; n = n->next) if (n->key == key) { r = 1; n->key = key; }
  pthread_mutex_unlock(&lock[h]);
  return r;
}
static void *w(void *p) { int k = __VERIFIER_nondet_int(); if (!has(k)) insert(k); return 0; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < B; i++) pthread_mutex_init(&lock[i], 0);
  while (1) pthread_create(&t, 0, w, 0);
}
