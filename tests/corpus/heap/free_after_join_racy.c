// race: unsafe lines 7 17 — the buffer is freed while the thread may still use it
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
  free(p);
  pthread_join(t, NULL);
  return 0;
}
