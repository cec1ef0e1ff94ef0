// race: safe — many threads over time, but never two of them together
#include <pthread.h>

static int value;

static void *work(void *arg) {
  value += *(int *)arg;
  return NULL;
}

int main(void) {
  for (int i = 0; i < 5; i++) {
    pthread_t t;
    pthread_create(&t, NULL, work, &i);
    pthread_join(t, NULL);
  }
  return value - 10;
}
