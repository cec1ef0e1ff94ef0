// race: safe — the same, looked at after the join
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
  int failed = r != 0;
  pthread_join(thread, NULL);
  if (failed)
    x = 2;
  return 0;
}
