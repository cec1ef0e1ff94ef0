/* A queue of eight places between one producer and four workers. */
#include "pools.h"

enum { ROOM = 8 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int ring[ROOM], first, count;
static bool closed;

static void put(int item) {
  pthread_mutex_lock(&m);
  while (count == ROOM) pthread_cond_wait(&emptied, &m);
  ring[(first + count++) % ROOM] = item;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&m);
}

static bool take(int *item) {
  pthread_mutex_lock(&m);
  while (!count && !closed) pthread_cond_wait(&filled, &m);
  bool any = count > 0;
  if (any) {
    *item = ring[first];
    first = (first + 1) % ROOM;
    count--;
    pthread_cond_signal(&emptied);
  }
  pthread_mutex_unlock(&m);
  return any;
}

static void *work(void *a) {
  for (int item; take(&item);) handle(item);
  return a;
}

int main(void) {
  pthread_t t[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, work, NULL);
  for (int i = 0; i < ITEMS; i++) put(i);
  pthread_mutex_lock(&m);
  closed = true;
  pthread_cond_broadcast(&filled);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}
