/* exit called by a thread that is not main: handlers run, the status is the thread's. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t never;

static void bye(void) {
  printf("handler\n");
}

static void *stuck(void *arg) {
  (void)arg;
  sem_wait(&never);
  return NULL;
}

static void *ends(void *arg) {
  printf("ending\n");
  exit(*(int *)arg);
}

int main(void) {
  static int status = 23;
  pthread_t a, b;
  sem_init(&never, 0, 0);
  atexit(bye);
  pthread_create(&a, NULL, stuck, NULL);
  pthread_create(&b, NULL, ends, &status);
  pthread_join(a, NULL);
  printf("not reached\n");
  return 0;
}
