// race: safe; deadlock: safe — a node moves between two lists while both locks are held
#include <pthread.h>

struct Node {
  struct Node *next;
  int moves;
};

static struct Node node = {NULL, 0};
static struct Node *idle = &node, *busy;
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t busy_lock = PTHREAD_MUTEX_INITIALIZER;

static void move(struct Node **from, struct Node **to) {
  pthread_mutex_lock(&idle_lock);
  pthread_mutex_lock(&busy_lock);
  struct Node *n = *from;
  if (n) {
    *from = n->next;
    n->next = *to;
    n->moves++;
    *to = n;
  }
  pthread_mutex_unlock(&busy_lock);
  pthread_mutex_unlock(&idle_lock);
}

static void *start(void *arg) {
  move(&idle, &busy);
  return arg;
}

static void *stop(void *arg) {
  move(&busy, &idle);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, start, NULL);
  pthread_create(&b, NULL, stop, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return node.moves > 2;
}
