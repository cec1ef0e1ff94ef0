/* pthread_exit from main: the others go on, the last one ends the process with status 0
   after atexit. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t main_thread;
static int shared;

static void bye(void) {
  printf("bye %d\n", shared);
}

static void *outlives(void *arg) {
  void *r;
  pthread_join(main_thread, &r);
  shared = *(int *)r + *(int *)arg;
  printf("main left %d\n", *(int *)r);
  return NULL;
}

int main(void) {
  static int v = 30, result = 12;
  pthread_t t;
  atexit(bye);
  main_thread = pthread_self();
  pthread_create(&t, NULL, outlives, &v);
  pthread_exit(&result);
}
