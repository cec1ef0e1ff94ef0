// deadlock: safe; race: safe — a fork before the first thread takes all threads along
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
  if (fork() == 0) {
    worker(NULL);
    _exit(0);
  }
  pthread_create(&a, NULL, worker, NULL);
  worker(NULL);
  pthread_join(a, NULL);
  return 0;
}
