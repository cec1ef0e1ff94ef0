/* safe: each thread is joined before the next is made. */
#include <pthread.h>
int x;
static void *w(void *p) { x++; return 0; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) { pthread_create(&t, 0, w, 0); pthread_join(t, 0); }
  return x;
}
