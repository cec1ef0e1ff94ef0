// race: unsafe lines 6 10 — all streams are flushed while one is used without its lock
#include <pthread.h>
#include <stdio.h>

static void flush(FILE *stream) {
  fflush_unlocked(stream);
}

static void *worker(void *unused) {
  putchar_unlocked('a');
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, worker, NULL)) return 1;
  flush(NULL);
  pthread_join(thread, NULL);
  return 0;
}
