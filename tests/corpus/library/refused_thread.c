// race: safe — the same, looked at after the join
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
  int failed = r != 0;
  pthread_join(thread, NULL);
  if (failed)
    x = 2;
  return 0;
}
