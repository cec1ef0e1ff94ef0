// race: unsafe lines 9 21 — realloc carries the stored pointers to a new place
#include <pthread.h>
#include <stdlib.h>

static int cell;
static int **table;

static void *follow(void *arg) {
  *table[0] = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  table = malloc(sizeof *table);
  if (!table) return 1;
  table[0] = &cell;
  table = realloc(table, 100 * sizeof *table);
  if (!table) return 1;
  pthread_create(&t, NULL, follow, NULL);
  cell = 2;
  pthread_join(t, NULL);
  return cell == 0;
}
