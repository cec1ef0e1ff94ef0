/* bad: d is 4 between its two steps. */
#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int d = 3;
static void *w(void *p) {
  while (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&m);
    if (d == 3) {
      d++;
      pthread_mutex_unlock(&m); pthread_mutex_lock(&m);
      d++;
    } else d = 3;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
static void *c(void *p) { pthread_mutex_lock(&m); assert(15 / d * d == 15); pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (1) pthread_create(&t, 0, c, 0); }
