// race: unsafe lines 8 — the thread of the last round is joined only in the next round
#include <pthread.h>

static int value;

static void *work(void *arg) {
  (void)arg;
  value++;
  return NULL;
}

int main(void) {
  pthread_t last;
  for (int i = 0; i < 5; i++) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (i > 0) pthread_join(last, NULL);
    last = t;
  }
  pthread_join(last, NULL);
  return value > 5;
}
