// deadlock: unsafe — the main thread and the other join each other
#include <pthread.h>

static pthread_t first;

static void *work(void *arg) {
  pthread_join(first, NULL);
  return arg;
}

int main(void) {
  pthread_t a;
  first = pthread_self();
  pthread_create(&a, NULL, work, NULL);
  pthread_join(a, NULL);
  return 0;
}
