// race: unsafe lines 5 14 — the same element of an array of variable length on main's stack
#include <pthread.h>

static void *work(void *arg) {
  ((int *)arg)[2] = 1;
  return NULL;
}

int main(int argc, char **argv) {
  (void)argv;
  pthread_t a;
  int list[argc + 3];
  pthread_create(&a, NULL, work, list);
  list[2] = 2;
  pthread_join(a, NULL);
  return 0;
}
