// race: unsafe lines 7 17 — a barrier for no thread cannot be made
#include <pthread.h>

static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  pthread_barrier_t barrier;
  int r = pthread_barrier_init(&barrier, NULL, 0);
  if (r != 0)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
