// race: unsafe lines 11 23 — pthread_create may fail
#include <pthread.h>

static int x;

static void *idle(void *unused) {
  return unused;
}

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  pthread_t other;
  int r = pthread_create(&other, NULL, idle, NULL);
  if (r == 0)
    pthread_join(other, NULL);
  if (r != 0)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
