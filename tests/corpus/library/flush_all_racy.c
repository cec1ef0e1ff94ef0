// race: unsafe lines 6 13 — all streams are flushed while one is used without its lock
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused) {
  putchar_unlocked('a');
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  fflush(NULL);
  pthread_join(thread, NULL);
  return 0;
}
