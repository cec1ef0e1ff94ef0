/* safe: the bounded buffer with three semaphores, any number of threads. */
#include <pthread.h>
#include <semaphore.h>
#define N 2
sem_t mx, full, empty; int buf[N], in, out;
static void *pr(void *a) {
  sem_wait(&empty); sem_wait(&mx);
  buf[in] = 1;
  in = (in + 1) % N;
  sem_post(&mx);
  sem_post(&full);
  return 0;
}
static void *co(void *a) {
  sem_wait(&full); sem_wait(&mx);
  int v = buf[out]; (void)v; out = (out + 1) % N;
  sem_post(&mx); sem_post(&empty);
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&mx, 0, 1); sem_init(&full, 0, 0); sem_init(&empty, 0, N);
  while (1) { pthread_create(&t, 0, pr, 0); pthread_create(&t, 0, co, 0); }
}
