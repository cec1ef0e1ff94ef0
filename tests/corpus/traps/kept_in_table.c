// race: safe; deadlock: safe — a hash table of the library hands out what it was given, under a lock
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  ENTRY *found = hsearch((ENTRY){.key = "a", .data = NULL}, FIND);
  if (found)
    ++*(int *)found->data;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  hcreate(10);
  hsearch((ENTRY){.key = "a", .data = &counter}, ENTER);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
