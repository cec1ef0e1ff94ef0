// race: safe — the handler of signals has SA_RESTART, so the wait goes on behind it
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

static int value;
static sem_t units;

static void wake(int number) { (void)number; }

static void *work(void *arg) {
  sem_wait(&units);
  value++;
  sem_post(&units);
  return arg;
}

int main(void) {
  pthread_t a;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = wake;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&units, 0, 1);
  pthread_create(&a, NULL, work, NULL);
  pthread_kill(a, SIGUSR1);
  work(NULL);
  pthread_join(a, NULL);
  return 0;
}
