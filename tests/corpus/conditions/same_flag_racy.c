// race: unsafe lines 10 — lock and access stand under different conditions
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int n = *(int *)arg;
  if (n > 1) pthread_mutex_lock(&lock);
  if (n > 0) value += n;
  if (n > 1) pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, work, &one);
  pthread_create(&b, NULL, work, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 3;
}
