// race: unsafe lines 9 24 — two creations to a round: the id of the first is lost
#include <pthread.h>

static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  value++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    int k = 0;
    do {
      pthread_create(&t[i], NULL, work, NULL);
    } while (++k < 2);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  return value;
}
