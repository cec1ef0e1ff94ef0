// race: unsafe lines 8 17 — popen may give NULL
#include <pthread.h>
#include <stdio.h>

static int x;

static void *writer(void *unused) {
  x = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, writer, NULL);
  FILE *f = popen("true", "r");
  if (f == NULL)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
