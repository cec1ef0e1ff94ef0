/* safe: pthread_exit of main, and nothing of main's afterwards. */
#include <pthread.h>
static void *w(void *q) { 
  int l = *(int *)q; (void)l;
  return 0; }
int v;
int main(void) { pthread_t a, b; v = 4; pthread_create(&a, 0, w, &v); pthread_create(&b, 0, w, &v); pthread_exit(0); }
