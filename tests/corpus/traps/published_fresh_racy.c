// race: unsafe lines 24 31 — a new object is put into a shared list and changed afterwards
#include <pthread.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  int value;
};

static struct Node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void publish(struct Node *n) {
  pthread_mutex_lock(&lock);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&lock);
}

static void *maker(void *arg) {
  struct Node *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  publish(n);
  n->value = 1;
  return arg;
}

static void *reader(void *arg) {
  int sum = 0;
  pthread_mutex_lock(&lock);
  for (struct Node *n = head; n; n = n->next) sum += n->value;
  pthread_mutex_unlock(&lock);
  *(int *)arg = sum;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int sum = 0;
  pthread_create(&a, NULL, maker, NULL);
  pthread_create(&b, NULL, reader, &sum);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum > 1;
}
