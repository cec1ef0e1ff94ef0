// race: unsafe lines 7 26 — the joined thread returns an object that its own child still uses
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg) {
  int *cell = arg;
  *cell = 1;
  return NULL;
}

static void *parent(void *arg) {
  pthread_t t;
  int *cell = calloc(1, sizeof *cell);
  (void)arg;
  if (!cell) exit(1);
  pthread_create(&t, NULL, child, cell);
  pthread_detach(t);
  return cell;
}

int main(void) {
  pthread_t t;
  void *cell;
  pthread_create(&t, NULL, parent, NULL);
  pthread_join(t, &cell);
  return *(int *)cell > 1;
}
