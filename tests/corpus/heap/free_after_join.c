// race: safe — the buffer is freed after the thread that uses it was joined
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
  int *p = arg;
  *p += 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  int *p = malloc(sizeof *p);
  if (!p) return 1;
  *p = 1;
  pthread_create(&t, NULL, work, p);
  pthread_join(t, NULL);
  free(p);
  return 0;
}
