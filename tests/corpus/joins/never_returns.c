// race: safe; deadlock: safe — two ways lead to the function that joins the threads, which never returns
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 3 };
static pthread_t ids[THREADS];
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}

static void leave(void) {
  for (int i = 0; i < THREADS; i++) pthread_join(ids[i], NULL);
  exit(0);
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < THREADS; i++) pthread_create(&ids[i], NULL, work, NULL);
  if (argc > 1) leave();
  leave();
}
