// race: unsafe lines 6 20 — alloca makes another object in each round, and the old one is used
#include <alloca.h>
#include <pthread.h>

static void *work(void *arg) {
  *(int *)arg = 1;
  return NULL;
}

int main(void) {
  pthread_t a;
  int *old = NULL;
  for (int i = 0; i < 2; i++) {
    int *mine = alloca(sizeof *mine);
    if (i == 0) {
      pthread_create(&a, NULL, work, mine);
      old = mine;
      continue;
    }
    *old = 2;
  }
  pthread_join(a, NULL);
  return 0;
}
