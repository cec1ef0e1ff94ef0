/* safe: main does the work itself where the creation failed. */
#include <pthread.h>
int x;
static void *w(void *q) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  int e = pthread_create(&t, 0, w, 0);
  if (e) x = 2; else pthread_join(t, 0);
  return x;
}
