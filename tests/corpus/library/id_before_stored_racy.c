// race: unsafe lines 7 13 — the thread may look at its id before it is stored
#include <pthread.h>

static pthread_t thread;

static void *worker(void *unused) {
  if (pthread_equal(thread, pthread_self()))
    return unused;
  return NULL;
}

int main(void) {
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  return 0;
}
