// race: unsafe lines 8 17 — the pointer that the thread follows is set after the creation
#include <pthread.h>

static int number = 4;
static int *where;

static void *follow(void *arg) {
  int *p = where;
  if (p) *(int *)arg = *p;
  return NULL;
}

int main(void) {
  pthread_t t;
  int seen = 0;
  pthread_create(&t, NULL, follow, &seen);
  where = &number;
  pthread_join(t, NULL);
  return seen > 4;
}
