// race: safe; deadlock: safe — lock coupling: the next node is locked before the last is released
#include <pthread.h>

struct Node {
  pthread_mutex_t lock;
  int value;
  struct Node *next;
};

static struct Node third = {PTHREAD_MUTEX_INITIALIZER, 3, NULL};
static struct Node second = {PTHREAD_MUTEX_INITIALIZER, 2, &third};
static struct Node first = {PTHREAD_MUTEX_INITIALIZER, 1, &second};

static void *walk(void *arg) {
  struct Node *n = &first;
  pthread_mutex_lock(&n->lock);
  for (;;) {
    n->value += *(int *)arg;
    struct Node *next = n->next;
    if (!next) break;
    pthread_mutex_lock(&next->lock);
    pthread_mutex_unlock(&n->lock);
    n = next;
  }
  pthread_mutex_unlock(&n->lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, ten = 10;
  pthread_create(&a, NULL, walk, &one);
  pthread_create(&b, NULL, walk, &ten);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return first.value + second.value + third.value - 39;
}
