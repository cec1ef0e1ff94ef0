/* safe: main joins a, which has joined b. */
#include <pthread.h>
int x;
static void *b(void *p) { x = 2; return 0; }
static void *a(void *p) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, b, 0);
  pthread_join(t, 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, a, 0);
  pthread_join(t, 0);
  return x;
}
