/* bad: at i = 70000 the step is 3. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, i;
static void *w(void *p) {
  for (int k = 0; k < 100000; k++) {
    pthread_mutex_lock(&m);
    i++; x += 2;
    if (i == 70000) x++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  while (1) { pthread_mutex_lock(&m); assert(x == 2 * i); pthread_mutex_unlock(&m); }
}
