/* safe: one object with its mutex, made before the threads. */
#include <pthread.h>
#include <stdlib.h>
struct o { pthread_mutex_t m; }; struct o *one; int x;
static struct o *mk(void) { struct o *o = malloc(sizeof *o); if (!o) abort(); pthread_mutex_init(&o->m, 0); return o; }
static void *w(void *p) {
  struct o *o = one;
  pthread_mutex_lock(&o->m); x++; pthread_mutex_unlock(&o->m);
  return 0;
}
int main(void) { pthread_t t; one = mk(); while (1) pthread_create(&t, 0, w, 0); }
