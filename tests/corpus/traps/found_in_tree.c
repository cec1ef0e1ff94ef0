// race: safe; deadlock: safe — a node of a search tree holds the pointer that was put in, and a lock guards it
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static int counter;
static void *tree;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *a, const void *b) {
  return (a > b) - (a < b);
}

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  int **node = tfind(&counter, &tree, compare);
  if (node)
    ++**node;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  tsearch(&counter, &tree, compare);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
