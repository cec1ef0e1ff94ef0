// deadlock: unsafe; race: safe — in the child of a fork the mutex stays locked by a thread that is not there
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *argument) {
  pthread_mutex_lock(&m);
  count++;
  pthread_mutex_unlock(&m);
  return argument;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, NULL, worker, NULL);
  if (fork() == 0) {
    worker(NULL);
    _exit(0);
  }
  pthread_join(a, NULL);
  return 0;
}
