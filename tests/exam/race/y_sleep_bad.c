/* bad: sleep is no synchronisation. */
#include <pthread.h>
#include <unistd.h>
int x;
static void *w(void *q) { x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);
  sleep(2);
  int r = x;
  pthread_join(t, 0);
  return r; }
