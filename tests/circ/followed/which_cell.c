/* A pointer to one of two variables, an array of functions, and ids of threads that change hands. */
#include <pthread.h>

static int first, second = 7, *chosen = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t last;

static void turn(void) {
  chosen = chosen == &first ? &second : &first;
}
static void stay(void) {}
static void (*const moves[])(void) = {turn, stay};

static void *work(void *arg) {
  long n = (long)arg;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&lock);
    *chosen += (int)n / (i + 1);
    moves[(n + i) % 2]();
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  int failed = pthread_create(&t, NULL, work, (void *)3);
  last = t;
  if (failed) return 1;
  work((void *)4);
  pthread_join(last, NULL);
  return first + second;
}
