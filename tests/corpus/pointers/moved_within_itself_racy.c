// race: unsafe lines 10 25 26 — the same, and the pointer that was moved up leads to a variable without a lock
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int first, second;

static void *count(void *argument) {
  int *number = argument;
  ++*number;
  return NULL;
}

int main(int length, char **texts) {
  pthread_t thread;
  int **table = calloc((size_t)length + 4, sizeof *table);
  (void)texts;
  if (!table) return 1;
  table[0] = &first;
  for (int i = 0; i < length; i++) {
    memmove(table + 1, table, ((size_t)length + 2) * sizeof *table);
    table[0] = &second;
  }
  pthread_create(&thread, NULL, count, table[1]);
  first = 1;
  second = 1;
  pthread_join(thread, NULL);
  return 0;
}
