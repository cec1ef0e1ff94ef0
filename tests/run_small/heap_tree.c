/* A tree grows under a lock, and is searched without it. */
#include "small.h"

typedef struct Tree {
  struct Tree *child[2];
  int key;
} Tree;
Tree *root;
Mutex m = MUTEX;
static void insert(int key) {
  Tree **at = &root, *fresh = calloc(1, sizeof *fresh);
  fresh->key = key;
  while (*at) at = &(*at)->child[key > (*at)->key];
  *at = fresh;
}
static void *work(void *a) {
  for (int i = 0; i < 10; i++) {
    lock(&m);
    insert(i * 7 % 10);
    unlock(&m);
  }
  return a;
}
int main(void) {
  int found = 0;
  pthread_t t = start(work, NULL);
  for (int i = 0; i < 10; i++) {
    if (!RACY) lock(&m);
    for (Tree *n = root; n; n = n->child[i > n->key]) found += n->key == i;
    if (!RACY) unlock(&m);
  }
  finish(t);
  return found > 10;
}
