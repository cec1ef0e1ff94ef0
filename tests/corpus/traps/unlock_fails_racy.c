// race: unsafe lines 10 — an error-checking mutex that is not held cannot be released
#define _GNU_SOURCE
#include <pthread.h>

static int failures;
static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static void *work(void *arg) {
  if (pthread_mutex_unlock(&lock) != 0)
    failures++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return failures == 0;
}
