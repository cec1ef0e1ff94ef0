// race: unsafe lines 23 — a node found under the lock is changed after the lock was released
#include <pthread.h>

struct Node {
  struct Node *next;
  int key, value;
};

static struct Node two = {NULL, 2, 0}, one = {&two, 1, 0};
static struct Node *head = &one;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct Node *find(int key) {
  pthread_mutex_lock(&lock);
  struct Node *n = head;
  while (n && n->key != key) n = n->next;
  pthread_mutex_unlock(&lock);
  return n;
}

static void *user(void *arg) {
  struct Node *n = find(2);
  if (n) n->value += *(int *)arg;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 1, y = 2;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return two.value > 3;
}
