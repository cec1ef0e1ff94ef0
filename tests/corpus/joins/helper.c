// race: safe — helper functions start and join the threads
#include <pthread.h>

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  sum += *(int *)arg;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static pthread_t start(int *n) {
  pthread_t t;
  pthread_create(&t, NULL, add, n);
  return t;
}

static void finish(pthread_t t) { pthread_join(t, NULL); }

int main(void) {
  int one = 1, two = 2;
  pthread_t a = start(&one);
  pthread_t b = start(&two);
  finish(a);
  finish(b);
  return sum - 3;
}
