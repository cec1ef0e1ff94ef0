// deadlock: unsafe — waiting for a permit inside a critical section that the giver must enter
#include <pthread.h>
#include <semaphore.h>

static int items;
static sem_t full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *arg) {
  pthread_mutex_lock(&lock);
  items++;
  pthread_mutex_unlock(&lock);
  sem_post(&full);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&full, 0, 0);
  pthread_create(&t, NULL, producer, NULL);
  pthread_mutex_lock(&lock);
  sem_wait(&full);
  items--;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return items;
}
