/* safe: the counter never falls: a thread's later look is at least its earlier one. */
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int c;
static int get(void) { pthread_mutex_lock(&m); int r = c; pthread_mutex_unlock(&m); return r; }
static void *up(void *p) {
  while (1) {
    pthread_mutex_lock(&m);
    if (c < 2000000000) c++;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, up, 0); pthread_create(&b, 0, up, 0);
  while (1) { int x = get(); int y = get(); assert(x <= y); }
}
