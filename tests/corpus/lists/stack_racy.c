// race: unsafe lines 14 17 22 23 — pop follows the head before it takes the lock
#include <pthread.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  int value;
};

static struct Node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(struct Node *n, int value) {
  n->value = value;
  pthread_mutex_lock(&lock);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&lock);
}

static int top(void) {
  struct Node *n = head;
  return n ? n->value : 0;
}

static void *user(void *arg) {
  push(arg, 1);
  return NULL;
}

int main(void) {
  pthread_t a;
  static struct Node node;
  pthread_create(&a, NULL, user, &node);
  int seen = top();
  pthread_join(a, NULL);
  return seen > 1;
}
