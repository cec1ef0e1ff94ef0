// race: safe — the nodes of a stack are reached only under the lock of its head
#include <pthread.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  int value;
};

static struct Node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value) {
  struct Node *n = malloc(sizeof *n);
  if (!n) exit(1);
  n->value = value;
  pthread_mutex_lock(&lock);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&lock);
}

static int pop(void) {
  int value = 0;
  pthread_mutex_lock(&lock);
  struct Node *n = head;
  if (n) {
    head = n->next;
    value = n->value;
    free(n);
  }
  pthread_mutex_unlock(&lock);
  return value;
}

static void *user(void *arg) {
  push(*(int *)arg);
  pop();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, user, &one);
  pthread_create(&b, NULL, user, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return head != NULL;
}
