/* The library calls back: with private and with shared data, once and often. */
#include <pthread.h>
#include <stdlib.h>

static int compared, table[4] = {1, 3, 5, 7}, made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) {
  made = 1;
}

static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&lock);
  compared++;
  pthread_mutex_unlock(&lock);
  return *(const int *)a - *(const int *)b;
}

static int plain(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static void *work(void *arg) {
  int own[3] = {3, 1, 2}, key = 5;
  pthread_once(&once, make);
  qsort(own, 3, sizeof *own, compare);
  const int *found = bsearch(&key, table, 4, sizeof *table, plain);
  return found && own[0] == 1 && made ? NULL : arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
