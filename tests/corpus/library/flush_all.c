// race: safe — all streams are flushed when nobody uses one any more
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused) {
  putchar_unlocked('a');
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  fflush(NULL);
  return 0;
}
