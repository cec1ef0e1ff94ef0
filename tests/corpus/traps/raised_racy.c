// race: unsafe lines 9 — two threads raise a signal, and its handler runs in each of them
#include <pthread.h>
#include <signal.h>

static int handled;

static void on_signal(int number) {
  (void)number;
  handled++;
}

static void *work(void *arg) {
  raise(SIGUSR1);
  return arg;
}

int main(void) {
  pthread_t a, b;
  signal(SIGUSR1, on_signal);
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return handled > 2;
}
