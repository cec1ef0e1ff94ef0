// race: safe; deadlock: safe — semaphores count the slots, a mutex guards the indices
#include <pthread.h>
#include <semaphore.h>

#define CAP 2
static int ring[CAP], in, out;
static sem_t full, empty;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *arg) {
  for (int i = 0; i < 2; i++) {
    sem_wait(&empty);
    pthread_mutex_lock(&lock);
    ring[in++ % CAP] = *(int *)arg;
    pthread_mutex_unlock(&lock);
    sem_post(&full);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2, sum = 0;
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, CAP);
  pthread_create(&a, NULL, producer, &one);
  pthread_create(&b, NULL, producer, &two);
  for (int i = 0; i < 4; i++) {
    sem_wait(&full);
    pthread_mutex_lock(&lock);
    sum += ring[out++ % CAP];
    pthread_mutex_unlock(&lock);
    sem_post(&empty);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum - 6;
}
