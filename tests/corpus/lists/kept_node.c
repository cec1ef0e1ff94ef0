// race: safe — a node found under the list's lock is changed under the node's own lock
#include <pthread.h>

struct Node {
  struct Node *next;
  int key, value;
  pthread_mutex_t lock;
};

static struct Node two = {NULL, 2, 0, PTHREAD_MUTEX_INITIALIZER};
static struct Node one = {&two, 1, 0, PTHREAD_MUTEX_INITIALIZER};
static struct Node *head = &one;
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;

static struct Node *find(int key) {
  pthread_mutex_lock(&list_lock);
  struct Node *n = head;
  while (n && n->key != key) n = n->next;
  pthread_mutex_unlock(&list_lock);
  return n;
}

static void *user(void *arg) {
  struct Node *n = find(*(int *)arg);
  if (!n) return NULL;
  pthread_mutex_lock(&n->lock);
  n->value++;
  pthread_mutex_unlock(&n->lock);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  int keys[3] = {1, 2, 2};
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, user, &keys[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return one.value + two.value - 3;
}
