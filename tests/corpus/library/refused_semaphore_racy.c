// race: unsafe lines 9 18 — sem_open may give SEM_FAILED
#include <fcntl.h>
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
  sem_t *s = sem_open("/name", O_CREAT, 0600, 1);
  if (s == SEM_FAILED)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
