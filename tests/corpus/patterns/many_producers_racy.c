// race: unsafe lines 13 28; deadlock: safe — semaphores count the slots, but the producers share an index
#include <pthread.h>
#include <semaphore.h>

#define CAP 2
static int ring[CAP], out;
static unsigned in;
static sem_t full, empty;

static void *producer(void *arg) {
  for (int i = 0; i < 2; i++) {
    sem_wait(&empty);
    ring[in++ % CAP] = *(int *)arg;
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
    sum += ring[out++ % CAP];
    sem_post(&empty);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return sum > 8;
}
