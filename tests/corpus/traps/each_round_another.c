// race: safe — alloca makes another object in each round of a loop
#include <alloca.h>
#include <pthread.h>

static void *work(void *arg) {
  *(int *)arg = 1;
  return NULL;
}

int main(void) {
  pthread_t a;
  int *mine = NULL;
  for (int i = 0; i < 2; i++) {
    mine = alloca(sizeof *mine);
    if (i == 0) pthread_create(&a, NULL, work, mine);
  }
  *mine = 2;
  pthread_join(a, NULL);
  return 0;
}
