// race: unsafe lines 9 — a thread-local pointer, but what it points to is shared
#include <pthread.h>

static int shared_cell;
static _Thread_local int *mine;

static void *work(void *arg) {
  mine = &shared_cell;
  *mine += 1;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared_cell > 2;
}
