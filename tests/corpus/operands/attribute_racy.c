// race: unsafe lines 11 19; deadlock: safe — the library reads the attribute of a new mutex
#include <pthread.h>
#include <string.h>

static pthread_mutexattr_t kind;

static void *worker(void *arg) {
  pthread_mutex_t mine;
  (void)arg;
  /* the kind of this mutex is being changed meanwhile */
  pthread_mutex_init(&mine, &kind);
  pthread_mutex_destroy(&mine);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  memset(&kind, 0, sizeof kind);
  pthread_join(t, NULL);
  return 0;
}
