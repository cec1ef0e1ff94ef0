// race: unsafe lines 9 18 — only the thread of the last round is joined
#include <pthread.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) pthread_create(&t, NULL, add, NULL);
  pthread_join(t, NULL);
  return total > 3;
}
