// race: safe — a table of unknown length is moved up by one, within itself, in a loop
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *count(void *argument) {
  int *number = argument;
  pthread_mutex_lock(&lock);
  ++*number;
  pthread_mutex_unlock(&lock);
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
  pthread_mutex_lock(&lock);
  first = 1;
  second = 1;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
