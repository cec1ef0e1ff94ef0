/* A producer and a consumer share a ring of four places. RIGHT: one lock guards the ring,
   each side waits in a loop for its condition, and the lock covers the end, too. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { ROOM = 4, ITEMS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int ring[ROOM], first, used;
static bool closed;

static void *producer(void *arg) {
  (void)arg;
  for (int item = 1; item <= ITEMS; item++) {
    pthread_mutex_lock(&lock);
    while (used == ROOM)
      pthread_cond_wait(&not_full, &lock);
    ring[(first + used++) % ROOM] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  closed = true;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *consumer(void *arg) {
  int *sum = arg;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (used == 0 && !closed)
      pthread_cond_wait(&not_empty, &lock);
    if (used == 0)
      break;
    *sum += ring[first];
    first = (first + 1) % ROOM;
    used--;
    pthread_cond_signal(&not_full);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t p, c;
  int sum = 0;
  pthread_create(&p, NULL, producer, NULL);
  pthread_create(&c, NULL, consumer, &sum);
  pthread_join(p, NULL);
  pthread_join(c, NULL);
  printf("consumed %d, expected %d\n", sum, ITEMS * (ITEMS + 1) / 2);
  return 0;
}
