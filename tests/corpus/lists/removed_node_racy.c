// race: unsafe lines 18 26 — a node is freed after its removal while a reader still stands on it
#include <pthread.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  int value;
};

static struct Node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *remover(void *arg) {
  pthread_mutex_lock(&lock);
  struct Node *n = head;
  head = n->next;
  pthread_mutex_unlock(&lock);
  free(n);
  return arg;
}

static void *reader(void *arg) {
  pthread_mutex_lock(&lock);
  struct Node *n = head;
  pthread_mutex_unlock(&lock);
  if (n) *(int *)arg = n->value;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int seen = 0;
  head = malloc(sizeof *head);
  if (!head) return 1;
  head->value = 1;
  head->next = NULL;
  pthread_create(&a, NULL, remover, NULL);
  pthread_create(&b, NULL, reader, &seen);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return seen > 1;
}
