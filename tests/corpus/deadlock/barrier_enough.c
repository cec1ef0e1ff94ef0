// deadlock: safe — a barrier for three: two threads and the main thread
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *arg) {
  pthread_barrier_wait(&barrier);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&barrier, NULL, 3);
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
  pthread_barrier_wait(&barrier);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
