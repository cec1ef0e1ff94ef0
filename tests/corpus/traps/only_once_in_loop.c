// race: safe — the loop that creates the thread ends after its first round
#include <pthread.h>

static int value;

static void *work(void *arg) {
  value++;
  return arg;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < 5; i++) {
    if (pthread_create(&t, NULL, work, NULL) == 0) break;
  }
  pthread_join(t, NULL);
  value++;
  return value - 2;
}
