// race: safe — the same, looked at after the join
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
  int failed = r != 0;
  pthread_join(thread, NULL);
  if (failed)
    x = 2;
  return 0;
}
