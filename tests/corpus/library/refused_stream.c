// race: safe — the same, looked at after the join
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
  int failed = f == NULL;
  pthread_join(thread, NULL);
  if (failed)
    x = 2;
  return 0;
}
