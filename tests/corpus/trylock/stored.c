// race: safe — the result of trylock is kept in a variable and tested twice later
#include <pthread.h>

static int value, skipped;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t skip_lock = PTHREAD_MUTEX_INITIALIZER;

static void *bump(void *arg) {
  int n = *(int *)arg;
  int busy = pthread_mutex_trylock(&lock);
  n *= 2;
  if (busy) {
    pthread_mutex_lock(&skip_lock);
    skipped += n;
    pthread_mutex_unlock(&skip_lock);
  } else {
    value += n;
  }
  if (!busy) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, bump, &one);
  pthread_create(&b, NULL, bump, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value + skipped - 6;
}
