// race: unsafe lines 18 26 — the lock of one node is held while the pointer has moved on to the next
#include <pthread.h>

struct Node {
  pthread_mutex_t lock;
  int value;
  struct Node *next;
};

static struct Node second = {PTHREAD_MUTEX_INITIALIZER, 0, NULL};
static struct Node first = {PTHREAD_MUTEX_INITIALIZER, 0, &second};

static void *walk(void *arg) {
  struct Node *n = &first;
  pthread_mutex_t *held = &n->lock;
  pthread_mutex_lock(held);
  n = n->next;
  n->value++;
  pthread_mutex_unlock(held);
  return arg;
}

static void *direct(void *arg) {
  struct Node *n = &second;
  pthread_mutex_lock(&n->lock);
  n->value++;
  pthread_mutex_unlock(&n->lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, walk, NULL);
  pthread_create(&b, NULL, direct, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return second.value > 2;
}
