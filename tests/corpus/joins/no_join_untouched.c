// race: safe — threads that nobody waits for, and nobody touches their data
#include <pthread.h>

static int value;

static void *work(void *arg) {
  value = 3;
  return arg;
}

int main(void) {
  pthread_t t;
  value = 1;
  pthread_create(&t, NULL, work, NULL);
  return 0;
}
