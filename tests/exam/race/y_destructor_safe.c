/* safe: main joins before it ends. */
#include <pthread.h>
int x;
static void *w(void *a) { x = 1; return 0; }
__attribute__((destructor)) static void fini(void) { x = 2; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);
  pthread_join(t, 0);
  return 0; }
