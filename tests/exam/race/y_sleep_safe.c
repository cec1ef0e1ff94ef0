/* safe: join, not sleep. */
#include <pthread.h>
#include <unistd.h>
int x;
static void *w(void *q) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  int r = x;
  return r; }
