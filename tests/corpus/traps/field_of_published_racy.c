// race: unsafe lines 23 32 — a new object becomes known through a field of an object that is known already
#include <pthread.h>
#include <stdlib.h>

struct Leaf {
  int value;
};

struct Root {
  pthread_mutex_t lock;
  struct Leaf *leaf;
};

static struct Root root = {PTHREAD_MUTEX_INITIALIZER, NULL};

static void *maker(void *arg) {
  struct Leaf *leaf = calloc(1, sizeof *leaf);
  struct Root *known = &root;
  if (!leaf) return NULL;
  pthread_mutex_lock(&known->lock);
  known->leaf = leaf;
  pthread_mutex_unlock(&known->lock);
  leaf->value = 3;
  return arg;
}

int main(void) {
  pthread_t t;
  int seen = 0;
  pthread_create(&t, NULL, maker, NULL);
  pthread_mutex_lock(&root.lock);
  if (root.leaf) seen = root.leaf->value;
  pthread_mutex_unlock(&root.lock);
  pthread_join(t, NULL);
  return seen > 3;
}
