// race: unsafe lines 12 25 — the ring has one slot less than its semaphore says
#include <pthread.h>
#include <semaphore.h>

#define CAP 2
static int ring[CAP], sum;
static sem_t full, empty;

static void *producer(void *arg) {
  for (int i = 0; i < 5; i++) {
    sem_wait(&empty);
    ring[i % CAP] = i;
    sem_post(&full);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&full, 0, 0);
  sem_init(&empty, 0, CAP + 1);
  pthread_create(&t, NULL, producer, NULL);
  for (int i = 0; i < 5; i++) {
    sem_wait(&full);
    sum += ring[i % CAP];
    sem_post(&empty);
  }
  pthread_join(t, NULL);
  return sum > 20;
}
