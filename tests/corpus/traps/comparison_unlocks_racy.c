// race: unsafe lines 19 — the function that compares gives the lock back
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static int compare(const void *a, const void *b) {
  (void)a, (void)b;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void *work(void *unused) {
  int pair[2] = {3, 1};
  pthread_mutex_lock(&lock);
  qsort(pair, 2, sizeof *pair, compare);
  counter++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
