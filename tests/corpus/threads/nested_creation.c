// race: safe — threads create threads, and all of them use the same lock
#include <pthread.h>

static int leaves;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *tree(void *arg) {
  long depth = (long)arg;
  if (depth == 0) {
    pthread_mutex_lock(&lock);
    leaves++;
    pthread_mutex_unlock(&lock);
    return NULL;
  }
  pthread_t left, right;
  pthread_create(&left, NULL, tree, (void *)(depth - 1));
  pthread_create(&right, NULL, tree, (void *)(depth - 1));
  pthread_join(left, NULL);
  pthread_join(right, NULL);
  return NULL;
}

int main(void) {
  pthread_t root;
  pthread_create(&root, NULL, tree, (void *)2L);
  pthread_join(root, NULL);
  return leaves - 4;
}
