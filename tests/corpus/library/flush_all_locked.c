// race: safe — who flushes all streams waits for the one that a thread has locked
#include <pthread.h>
#include <stdio.h>

static void *worker(void *unused) {
  flockfile(stdout);
  putchar_unlocked('a');
  funlockfile(stdout);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  fflush(NULL);
  pthread_join(thread, NULL);
  return 0;
}
