// race: unsafe lines 21 31 — a new node is published under the name of a variable that may also hold another
#include <pthread.h>
#include <stdlib.h>

struct Node {
  int count;
};

static struct Node spare;
static struct Node *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *arg) {
  struct Node *made = malloc(sizeof *made), *chosen = made;
  if (!made) return NULL;
  made->count = 0;
  if (*(int *)arg) chosen = &spare;
  pthread_mutex_lock(&lock);
  shared = chosen;
  pthread_mutex_unlock(&lock);
  made->count++;
  return NULL;
}

static void *use(void *arg) {
  struct Node *node;
  (void)arg;
  pthread_mutex_lock(&lock);
  node = shared;
  pthread_mutex_unlock(&lock);
  if (node) node->count++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int other = 0;
  pthread_create(&a, NULL, publish, &other);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
