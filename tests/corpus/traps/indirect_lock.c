// race: safe — the mutex is taken through pointers to the library's own functions
#include <pthread.h>

typedef int (*LockFunction)(pthread_mutex_t *);

static const struct {
  LockFunction take, give;
} ops = {pthread_mutex_lock, pthread_mutex_unlock};

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  ops.take(&lock);
  value++;
  ops.give(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value - 2;
}
