// race: unsafe lines 10 12 — a hash table of the library hands out what it was given
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stddef.h>

static int counter;

static void *work(void *unused) {
  ENTRY *found = hsearch((ENTRY){.key = "a", .data = NULL}, FIND);
  if (found)
    ++*(int *)found->data;
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
