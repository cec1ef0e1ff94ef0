// race: safe — threads that flush one stream in loops are joined by ids that no stream overwrites
#include <pthread.h>
#include <stdio.h>

static pthread_t threads[2];
static int rounds[2];

static void *flush(void *argument) {
  for (int i = 0; i < 5; i++) fflush(stdout);
  return argument;
}

int main(void) {
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, flush, &rounds[i])) return 1;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
