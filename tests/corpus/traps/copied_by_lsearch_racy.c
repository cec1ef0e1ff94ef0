// race: unsafe lines 14 — lsearch copies what the key points to
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static int counter, *table[4];

static int differ(const void *a, const void *b) {
  return *(int *const *)a != *(int *const *)b;
}

static void *work(void *unused) {
  (*table[0])++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  size_t count = 0;
  int *key = &counter;
  lsearch(&key, table, &count, sizeof key, differ);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
