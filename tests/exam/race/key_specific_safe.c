/* safe: pthread_setspecific keeps a heap object of each thread's own. */
#include <pthread.h>
#include <stdlib.h>
pthread_key_t k; int common;
static void *w(void *p) {
  int *mine = malloc(sizeof *mine); if (!mine) return 0;
  pthread_setspecific(k, mine);
  int *q = pthread_getspecific(k);
  *q = 1;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_key_create(&k, 0);
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}
