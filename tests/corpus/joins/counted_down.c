// race: safe; deadlock: safe — the array of ids is joined from its end
#include <pthread.h>

enum { THREADS = 4 };
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t ids[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&ids[i], NULL, work, NULL);
  for (int i = THREADS - 1; i >= 0; i--) pthread_join(ids[i], NULL);
  pthread_mutex_lock(&m);
  int seen = x;
  pthread_mutex_unlock(&m);
  return seen == THREADS ? 0 : 1;
}
