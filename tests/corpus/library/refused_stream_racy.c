// race: unsafe lines 8 17 — fopen may give NULL
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
  FILE *f = fopen("name", "r");
  if (f == NULL)
    x = 2;
  pthread_join(thread, NULL);
  return 0;
}
