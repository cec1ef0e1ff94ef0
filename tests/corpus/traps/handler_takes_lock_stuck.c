// deadlock: unsafe — the handler of a signal takes the lock that the raising thread holds
#include <pthread.h>
#include <signal.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_signal(int number) {
  (void)number;
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
}

int main(void) {
  signal(SIGUSR1, on_signal);
  pthread_mutex_lock(&lock);
  raise(SIGUSR1);
  pthread_mutex_unlock(&lock);
  return value;
}
