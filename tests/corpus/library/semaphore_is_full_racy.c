// race: unsafe lines 9 20 — a semaphore with the largest value takes no post
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  sem_t s;
  sem_init(&s, 0, INT_MAX);
  int r = sem_post(&s);
  if (r != 0)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
