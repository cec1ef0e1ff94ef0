// race: safe — the same, looked at after the join
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
  int failed = s == SEM_FAILED;
  pthread_join(thread, NULL);
  if (failed)
    x = 2;
  return 0;
}
