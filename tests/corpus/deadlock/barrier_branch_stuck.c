// deadlock: unsafe — one thread meets the barrier one time less than the other
#include <pthread.h>

static pthread_barrier_t barrier;

static void *work(void *arg) {
  int rounds = *(int *)arg;
  for (int i = 0; i < rounds; i++) pthread_barrier_wait(&barrier);
  return NULL;
}

int main(void) {
  pthread_t t, u;
  int two = 2, three = 3;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t, NULL, work, &two);
  pthread_create(&u, NULL, work, &three);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
