// The wait is not repeated: it may end before the value is there.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int value;

static void *produce(void *arg) {
  pthread_mutex_lock(&lock);
  value = 1;
  pthread_cond_signal(&filled);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, produce, NULL);
  pthread_mutex_lock(&lock);
  if (!value) pthread_cond_wait(&filled, &lock);
  assert(value == 1);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, NULL);
  return 0;
}
