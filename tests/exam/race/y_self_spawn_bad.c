/* bad: before its write. */
#include <pthread.h>
int x;
static void *w(void *p) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  x++;
  return 0;
}
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_exit(0); }
