/* A handler interrupts a thread anywhere, also in the runtime: nothing is lost or stuck.
 * TRACE: main.1 write memory
 * COUNT: threads 2 */
#include <pthread.h>
#include <signal.h>
#include <semaphore.h>
#include <stdio.h>

enum { SIZE = 1 << 8, SIGNALS = 100 };
static int memory[SIZE], handled;
static volatile int over, seen;
static sem_t done;

static void handler(int number) {
  (void)number;
  for (int i = 0; i < 64; i++) handled += memory[(handled * 97 + i) % SIZE] & 1;
  seen++;
  sem_post(&done);
}

static void *worker(void *a) {
  do
    for (int i = 0; i < SIZE; i++) memory[i * 61 % SIZE] += 2;
  while (!over);
  return a;
}

int main(void) {
  struct sigaction action = {.sa_handler = handler};
  pthread_t t;
  sem_init(&done, 0, 0);
  sigaction(SIGUSR1, &action, NULL);
  pthread_create(&t, NULL, worker, NULL);
  for (int i = 0; i < SIGNALS; i++) {
    pthread_kill(t, SIGUSR1);
    sem_wait(&done);
  }
  over = 1;
  pthread_join(t, NULL);
  printf("%d %d\n", seen, memory[1] > 0);
  return 0;
}
