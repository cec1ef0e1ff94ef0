// race: unsafe lines 20 30 — a new node is published as a number with a mark in its lowest bit
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct Node {
  int count;
};

static uintptr_t shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *publish(void *arg) {
  struct Node *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  uintptr_t marked = (uintptr_t)made | 1;
  pthread_mutex_lock(&lock);
  shared = marked;
  pthread_mutex_unlock(&lock);
  made->count++;
  return arg;
}

static void *use(void *arg) {
  uintptr_t found;
  pthread_mutex_lock(&lock);
  found = shared;
  pthread_mutex_unlock(&lock);
  struct Node *node = (struct Node *)(found & ~(uintptr_t)1);
  if (node) node->count++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, publish, NULL);
  pthread_create(&b, NULL, use, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
