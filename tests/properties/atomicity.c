/* A counter that is atomic in itself. Faulty: reading and writing it back is not. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) void increment(void) {
#ifdef RIGHT
  pthread_mutex_lock(&lock);
#endif
  int value = x;
  value++;
  x = value;
#ifdef RIGHT
  pthread_mutex_unlock(&lock);
#endif
}

static void *worker(void *argument) {
  usleep(20000);
  increment();
  return argument;
}

int main(void) {
  pthread_t t;
  (void)lock;
  pthread_create(&t, NULL, worker, NULL);
  increment();
  pthread_join(t, NULL);
  return 0;
}
