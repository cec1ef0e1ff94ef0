/* safe: each thread makes the next behind its write, without end. */
#include <pthread.h>
int x;
static void *w(void *p) {
  pthread_t t;
  x++;
  pthread_create(&t, 0, w, 0);
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_exit(0); }
