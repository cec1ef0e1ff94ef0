// race: safe; deadlock: safe — an error-checking mutex refuses a second lock and stays held
#include <errno.h>
#include <pthread.h>

static int total;
static pthread_mutex_t lock;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  total += 1;
  if (pthread_mutex_lock(&lock) == EDEADLK) total += 10;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &attr);
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_destroy(&lock);
  return total - 22;
}
