/* bad: only the last thread is joined. */
#include <pthread.h>
int x;
static void *w(void *p) { x++; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  return x;
}
