/* Two locks. Faulty: taken in different orders. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER,
                       second = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *a, pthread_mutex_t *b) {
  pthread_mutex_lock(a);
  pthread_mutex_lock(b);
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
}

static void *worker(void *argument) {
  usleep(20000);
#ifdef RIGHT
  both(&first, &second);
#else
  both(&second, &first);
#endif
  return argument;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  both(&first, &second);
  pthread_join(t, NULL);
  return 0;
}
