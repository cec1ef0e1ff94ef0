// race: unsafe lines 8 18 — no semaphore has so large a value
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
  int r = sem_init(&s, 0, 0x80000000u);
  if (r != 0)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
