// race: safe; deadlock: safe — the attribute of a new mutex is set before the thread begins
#include <pthread.h>
#include <string.h>

static pthread_mutexattr_t kind;

static void *worker(void *arg) {
  pthread_mutex_t mine;
  (void)arg;
  pthread_mutex_init(&mine, &kind);
  pthread_mutex_destroy(&mine);
  return NULL;
}

int main(void) {
  pthread_t t;
  memset(&kind, 0, sizeof kind);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
