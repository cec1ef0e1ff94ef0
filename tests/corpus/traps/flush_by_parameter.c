// race: safe — one stream is flushed, and another one is used without its lock
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
  flush(stderr);
  pthread_join(thread, NULL);
  return 0;
}
