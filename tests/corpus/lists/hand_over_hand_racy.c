// race: unsafe lines 18 25 — the walker writes a node back after it released the node's lock
#include <pthread.h>

struct Node {
  pthread_mutex_t lock;
  int value;
  struct Node *next;
};

static struct Node second = {PTHREAD_MUTEX_INITIALIZER, 2, NULL};
static struct Node first = {PTHREAD_MUTEX_INITIALIZER, 1, &second};

static void *walk(void *arg) {
  for (struct Node *n = &first; n; n = n->next) {
    pthread_mutex_lock(&n->lock);
    int old = n->value;
    pthread_mutex_unlock(&n->lock);
    n->value = old + *(int *)arg;
  }
  return NULL;
}

static void *look(void *arg) {
  pthread_mutex_lock(&second.lock);
  *(int *)arg = second.value;
  pthread_mutex_unlock(&second.lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, seen = 0;
  pthread_create(&a, NULL, walk, &one);
  pthread_create(&b, NULL, look, &seen);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return seen > 3;
}
