// race: safe — the main thread is one of those that meet at the barrier
#include <pthread.h>

static int input, output;
static pthread_barrier_t start, stop;

static void *work(void *arg) {
  pthread_barrier_wait(&start);
  output = input + 1;
  pthread_barrier_wait(&stop);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&start, NULL, 2);
  pthread_barrier_init(&stop, NULL, 2);
  pthread_create(&t, NULL, work, NULL);
  input = 4;
  pthread_barrier_wait(&start);
  pthread_barrier_wait(&stop);
  int seen = output;
  pthread_join(t, NULL);
  return seen - 5;
}
