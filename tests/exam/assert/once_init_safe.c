/* safe: the state is 1 behind the once, whoever ran it. */
#include <pthread.h>
#include <assert.h>
pthread_once_t o = PTHREAD_ONCE_INIT, o2 = PTHREAD_ONCE_INIT; int state;
static void init(void) { state = 1; }
static void init2(void) { state = 0; }
static void *w(void *p) { pthread_once(&o, init); assert(state == 1); return 0; }
static void *v(void *p) {
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, w, 0); pthread_create(&b, 0, w, 0); pthread_create(&c, 0, v, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
  return 0;
}
