// race: safe — a node taken off the list belongs to the thread that took it
#include <pthread.h>
#include <stdlib.h>

struct Node {
  struct Node *next;
  int value;
};

static struct Node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct Node *take(void) {
  pthread_mutex_lock(&lock);
  struct Node *n = head;
  if (n) head = n->next;
  pthread_mutex_unlock(&lock);
  return n;
}

static void *user(void *arg) {
  struct Node *n = take();
  if (n) {
    n->value *= 2;
    *(int *)arg = n->value;
    free(n);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 0, y = 0;
  for (int i = 1; i <= 2; i++) {
    struct Node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->value = i;
    n->next = head;
    head = n;
  }
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y - 6;
}
