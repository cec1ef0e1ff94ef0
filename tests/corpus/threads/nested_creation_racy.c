// race: unsafe lines 9 — the leaves of a tree of threads count themselves without a lock
#include <pthread.h>

static int leaves;

static void *tree(void *arg) {
  long depth = (long)arg;
  if (depth == 0) {
    leaves++;
    return NULL;
  }
  pthread_t left, right;
  pthread_create(&left, NULL, tree, (void *)(depth - 1));
  pthread_create(&right, NULL, tree, (void *)(depth - 1));
  pthread_join(left, NULL);
  pthread_join(right, NULL);
  return NULL;
}

int main(void) {
  pthread_t root;
  pthread_create(&root, NULL, tree, (void *)2L);
  pthread_join(root, NULL);
  return leaves > 4;
}
