// race: unsafe lines 7 17 — the first thread is joined twice, and the second one not at all
#include <pthread.h>

static int x;

static void *work(void *arg) {
  x++;
  return arg;
}

int main(void) {
  pthread_t t, first;
  pthread_create(&t, NULL, work, NULL);
  first = t;
  pthread_join(first, NULL);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(first, NULL), x++;
  return 0;
}
