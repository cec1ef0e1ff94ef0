// deadlock: safe — dining philosophers: a semaphore lets only two of three sit down
#include <pthread.h>
#include <semaphore.h>

#define N 3
static sem_t seats;
static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *arg) {
  long i = (long)arg;
  sem_wait(&seats);
  pthread_mutex_lock(&forks[i]);
  pthread_mutex_lock(&forks[(i + 1) % N]);
  pthread_mutex_unlock(&forks[(i + 1) % N]);
  pthread_mutex_unlock(&forks[i]);
  sem_post(&seats);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  sem_init(&seats, 0, N - 1);
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, dine, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return 0;
}
