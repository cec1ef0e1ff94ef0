// race: open — a life ends while others read
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *p, r;
static void *work(void *unused) {
  r = *p;
  return unused;
}

int main(void) {
  pthread_t t;
  p = malloc(4);
  if (!p) return 0;
  *p = 0;
  pthread_create(&t, NULL, work, NULL);
  free(p);
  pthread_join(t, NULL);
  return 0;
}
